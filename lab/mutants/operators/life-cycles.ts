import type { Json } from '../../../contract-tests/mutants/define-mutant.ts'
import type { OperationId } from '../../../contract-tests/rules/operation-id.ts'
import { isObject } from '../../../contract-tests/runner/is-object.ts'
import {
  at,
  atPath,
  defineOperators,
  earlier,
  everywhere,
  facts,
  handles,
  isUnknown,
  lists,
  recordIn,
  refusal,
  returned,
  sentence,
  sentRecord,
  shows,
  succeeded,
  success,
  type Target,
  unknown,
} from '../mutant.ts'
import { listOfPipeline, newBackfill, removedReturned, updatedValues } from '../sentences.ts'
import { isErrorReply, type MutantRequest } from '../serve-mutant.ts'
import { frozenOperators, updates, withOthers } from './backfill-states.ts'
import { shownOtherwise } from './records.ts'

const nulls = sentence('Create backfill', 'a newly created backfill has null')
const copy = sentence('Trigger pipeline', 'with `event_variables` equal to the body')
const created = [
  'name',
  'status',
  'variables',
  'interval_type',
  'interval_units',
  'start_datetime',
  'end_datetime',
]
const idOf = ({ parameters }: MutantRequest) => parameters.backfill_id
const listOf = (value: unknown): readonly unknown[] => (Array.isArray(value) ? value : [])

/** Changes between the deletion of a record and the creation of the next one. */
export const lifeCycleOperators = defineOperators({
  'inherits-from-deleted': created.map((name) => {
    const stated = name === 'status' ? newBackfill : nulls
    return handles(
      at('createBackfill', name, stated, 'always', 'from-the-fourth-request'),
      async (request, forward) => {
        const reply = await forward()
        const backfill = recordIn(reply, 'backfill')
        const value = returned(request, 'deleteBackfill').at(-1)?.[name] ?? null
        if (!backfill || value === null) return reply
        return updates(forward, request, backfill, {
          [name]: name === 'name' ? `${backfill.name} (2)` : value,
        })
      },
    )
  }),
  'reaches-namesake': (['updateBackfill', 'deleteBackfill'] as const).flatMap((operation) =>
    [true, false].map((isBeside) => {
      const aspect = isBeside ? 'in-the-pipeline' : 'in-another-pipeline'
      const stated = operation === 'updateBackfill' ? updatedValues : removedReturned
      return handles(at(operation, aspect, stated, 'always'), async (request, forward) => {
        const { own, others } = await withOthers(request, forward)
        const reply = await forward()
        const namesake = others.find(
          ({ name, pipeline_uuid }) =>
            name === own?.name && (pipeline_uuid === own?.pipeline_uuid) === isBeside,
        )
        if (!namesake || isErrorReply(reply)) return reply
        if (operation === 'updateBackfill') await updates(forward, request, namesake, sentRecord(request))
        else await forward({ path: `/api/backfills/${namesake.id}${request.search}` })
        return reply
      })
    }),
  ),
  'empty-after-a-deletion': lists(
    at('listBackfills', 'items', listOfPipeline, 'always'),
    (records, { earlier: all }) => {
      const [creation, deletion] = all
        .filter(({ request, reply }) => request.method !== 'GET' && !isErrorReply(reply))
        .slice(-2)
        .map(({ reply }) => recordIn(reply, 'backfill')?.id)
      return creation !== undefined && creation === deletion && all.at(-1)?.request.method === 'DELETE'
        ? []
        : records
    },
  ),
  'deleted-still-updated': handles(
    at('updateBackfill', 'record', sentence('What the service does', 'An update needs the id'), 'always'),
    async (request, forward) => {
      const reply = await forward()
      const before = returned(request, 'deleteBackfill').find(({ id }) => String(id) === idOf(request))
      return before ? { ...reply, body: { backfill: { ...before, ...sentRecord(request) } } } : reply
    },
  ),
  'deleted-on-later-pages': lists(
    at('listBackfills', 'items', removedReturned, 'always'),
    (records, request) => {
      const { query } = request
      const wanted = query.get('pipeline_uuid')
      const deleted = returned(request, 'deleteBackfill').filter(
        ({ pipeline_uuid }) => wanted === null || pipeline_uuid === wanted,
      )
      const limit = Number(query.get('_limit') ?? Number.POSITIVE_INFINITY)
      return Number(query.get('_offset')) > 0 ? [...records, ...deleted].slice(0, limit) : records
    },
  ),
  'deleted-twice': handles(
    at('deleteBackfill', 'record', removedReturned, 'always', 'while-another-is-answered', 'after-an-error'),
    async (request, forward) => {
      const before = succeeded(request, 'deleteBackfill').find((own) => own.request.path === request.path)
      const reply = await forward()
      return before ? success(before.reply.body) : reply
    },
  ),
})

/** Changes a backfill in lists some requests after its creation. */
const later = (aspect: string, requestsBefore: number, change: (record: Json) => Json | undefined): Target =>
  lists(
    at('listBackfills', `${aspect}-after-${requestsBefore}`, listOfPipeline, 'always'),
    (records, request) => {
      const creations = succeeded(request, 'createBackfill')
      const isOld = ({ id }: Json) => {
        const creation = creations.find(({ reply }) => recordIn(reply, 'backfill')?.id === id)
        return creation !== undefined && request.total - creation.request.total > requestsBefore
      }
      return records.flatMap((record) => (isOld(record) ? (change(record) ?? []) : record))
    },
  )

/** The requests since the last write. */
const sinceWrite = ({ earlier: all }: MutantRequest) =>
  all.slice(all.findLastIndex(({ request }) => request.method !== 'GET') + 1)

/** Changes of old records. */
export const laterOperators = defineOperators({
  'read-again-otherwise': Object.entries(shownOtherwise).map(([name, change]) => {
    // The keys of the table are operations.
    const operation = name as keyof typeof shownOtherwise
    const keyOf = ({ path, query }: MutantRequest) => `${path} ${query.get('pipeline_uuid')}`
    return shows(atPath(operation, 'record', 'always'), (record, request) => {
      const isAgain = sinceWrite(request).some(
        (own) => own.request.operation === operation && keyOf(own.request) === keyOf(request),
      )
      return isAgain ? { ...record, ...change(7) } : record
    })
  }),
  'later-lost': [60, 200].map((count) => later('items', count, () => undefined)),
  'later-reset': created.flatMap((name) =>
    [60, 200].map((count) =>
      later(name, count, (record) => ({ ...record, [name]: name === 'name' ? 'backfill' : null })),
    ),
  ),
  'later-unreadable': (['readPipeline', 'readBlock'] as const).flatMap((operation) =>
    [60, 200].map((count) =>
      handles(atPath(operation, `record-after-${count}`, 'always'), (request, forward) => {
        const first = earlier(request, operation).find((own) => own.request.path === request.path)
        return first && request.total - first.request.total > count ? unknown : forward()
      }),
    ),
  ),
})

/** Answers a list with the previous reply if only a parameter differs and there was no write. */
const cachedWithout = (operation: OperationId, name: string): Target =>
  handles(atPath(operation, name, 'always'), (request, forward) => {
    const keyOf = ({ path, query }: MutantRequest) => {
      const others = new URLSearchParams(query)
      others.delete(name)
      return `${path}?${others}`
    }
    const last = sinceWrite(request).findLast(
      ({ request: own, reply }) => own.operation === operation && !isErrorReply(reply),
    )
    return last && keyOf(last.request) === keyOf(request) ? last.reply : forward()
  })

/** Changes a backfill of the same pipeline by a request for something else. */
const reaches = (operation: OperationId, aspect: string, change: Json): Target =>
  handles(atPath(operation, aspect, 'always'), async (request, forward) => {
    const reply = await forward()
    if (isErrorReply(reply)) return reply
    const own = request.parameters.pipeline_uuid ?? recordIn(reply, facts(operation).singular)?.pipeline_uuid
    const { others } = await withOthers(request, forward)
    const other = others.findLast(({ pipeline_uuid }) => pipeline_uuid === own)
    if (other)
      await forward({
        method: 'PUT',
        path: `/api/pipelines/${own}/backfills/${other.id}${request.search}`,
        body: { backfill: change },
      })
    return reply
  })

const parametersOfLists: readonly (readonly [OperationId, readonly string[]])[] = [
  ['listBackfills', ['_limit', '_offset', 'pipeline_uuid', 'include_run_count']],
  ['listOauthAccessTokens', ['_limit', '_offset', 'show_all']],
  ['listPipelineSchedules', ['tag[]']],
  ['listLogs', ['_limit', '_offset', 'start_timestamp']],
]

/** Changes that depend on earlier requests to the same record, or to another one. */
export const leakingOperators = [
  ...frozenOperators,
  ...defineOperators({
    'deleted-as-created': shows(
      at('deleteBackfill', 'record', removedReturned, 'always'),
      (record, request) => returned(request, 'createBackfill').find(({ id }) => id === record.id) ?? record,
    ),
    'id-of-another': shows(atPath('createBackfill', 'id', 'always'), (record, request) => {
      const deleted = returned(request, 'deleteBackfill').map(({ id }) => id)
      const newest = returned(request, 'createBackfill').findLast(({ id }) => !deleted.includes(id))
      return deleted.length > 0 && newest ? { ...record, id: newest.id } : record
    }),
    'refusal-remembered': handles(
      at(
        'deleteBlock',
        'record',
        sentence('Delete block', 'When the block has downstream dependencies'),
        'always',
      ),
      (request, forward) => {
        const wasRefused = earlier(request, 'deleteBlock').some(
          ({ request: { path, query }, reply }) =>
            path === request.path && !query.has('force') && isErrorReply(reply) && !isUnknown(reply),
        )
        return wasRefused && !request.query.has('force') ? refusal('Others depend on it.') : forward()
      },
    ),
    'namesakes-share': ['content', 'type', 'language', 'configuration'].map((name) =>
      shows(at('readBlock', name, sentence('Block', `\`${name}\``), 'always'), (block, request) => {
        const sent = succeeded(request, 'createBlock').map((own) => sentRecord(own.request))
        const last = sent.findLast((own) => own.name === block.name && name in own)
        return last ? { ...block, [name]: last[name] } : block
      }),
    ),
    'priority-replaces': handles(
      at('createBlock', 'priority', sentence('Create block', '`priority`'), 'always'),
      async (request, forward) => {
        const { priority } = sentRecord(request)
        const home = await forward({
          method: 'GET',
          path: request.path.replace('/blocks', ''),
          body: undefined,
        })
        const reply = await forward()
        const before = listOf(recordIn(home, 'pipeline')?.blocks)[Number(priority)]
        if (priority !== undefined && isObject(before) && !isErrorReply(reply))
          await forward({
            method: 'DELETE',
            path: `${request.path}/${before.uuid}?force=True`,
            body: undefined,
          })
        return reply
      },
    ),
    'variables-of-before': (['any', 'same'] as const).map((schedule) =>
      shows(at('triggerPipeline', `of-${schedule}-schedule`, copy, 'always'), (run, request) => {
        const before = returned(request, 'triggerPipeline').findLast(
          (own) => schedule === 'any' || own.pipeline_schedule_id === run.pipeline_schedule_id,
        )
        const own = isObject(run.event_variables) ? run.event_variables : {}
        return { ...run, event_variables: { ...Object(before?.event_variables), ...own } }
      }),
    ),
    'run-repeated': handles(atPath('triggerPipeline', 'id', 'always'), (request, forward) => {
      const keyOf = ({ path, body }: MutantRequest) => `${path} ${JSON.stringify(body)}`
      const same = succeeded(request, 'triggerPipeline').find((own) => keyOf(own.request) === keyOf(request))
      return same?.reply ?? forward()
    }),
    'locked-after-refusal': handles(atPath('triggerPipeline', 'token', 'always'), (request, forward) => {
      const { pipeline_schedule_id: id } = request.parameters
      const isLocked = earlier(request, 'triggerPipeline').some(
        (own) => own.request.parameters.pipeline_schedule_id === id && isErrorReply(own.reply),
      )
      return isLocked ? unknown : forward()
    }),
    'session-ends-at-failed-sign-in': everywhere(
      atPath('createSession', 'token', 'always'),
      (applies) => () => (request, forward) => {
        const tokenOf = ({ headers }: MutantRequest) => headers.get('oauth-token') ?? ''
        const failed = request.earlier.findLastIndex((own) => applies(own.request) && isErrorReply(own.reply))
        const isEnded = request.earlier
          .slice(0, Math.max(failed, 0))
          .some((own) => tokenOf(own.request) === tokenOf(request))
        return isEnded && tokenOf(request) !== '' ? refusal('Sign in first.', 401, 'unauthorized') : forward()
      },
    ),
    'cached-by-less': parametersOfLists.flatMap(([operation, names]) =>
      names.map((name) => cachedWithout(operation, name)),
    ),
    'reaches-others': (
      ['createBlock', 'deleteBlock', 'createBackfill', 'deleteBackfill', 'triggerPipeline'] as const
    ).flatMap((operation) => [
      reaches(operation, 'name', { name: 'changed' }),
      reaches(operation, 'variables', { variables: {} }),
      reaches(operation, 'status', { status: 'cancelled' }),
    ]),
    'nth-otherwise': [5, 8, 11].map((nth) =>
      shows(
        at(
          'listBackfills',
          `number-${nth}`,
          sentence('States and transitions', '`status` is null in the response'),
          'always',
        ),
        (record, request) => {
          const ofPipeline = returned(request, 'createBackfill').filter(
            ({ pipeline_uuid }) => pipeline_uuid === record.pipeline_uuid,
          )
          const isAffected = ofPipeline[nth - 1]?.id === record.id && record.status === null
          return isAffected ? { ...record, status: 'initial' } : record
        },
      ),
    ),
  }),
]
