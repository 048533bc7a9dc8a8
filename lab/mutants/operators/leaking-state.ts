import type { Json } from '../../../contract-tests/mutants/define-mutant.ts'
import type { OperationId } from '../../../contract-tests/rules/operation-id.ts'
import { isObject } from '../../../contract-tests/runner/is-object.ts'
import {
  at,
  bodyWith,
  defineOperators,
  facts,
  handles,
  isUnknown,
  pathOf,
  recordIn,
  recordsIn,
  refusal,
  remembers,
  sentence,
  sentRecord,
  type Target,
  unknown,
  without,
} from '../mutant.ts'
import { isErrorReply, type MutantRequest } from '../serve-mutant.ts'
import { always } from '../triggers.ts'
import { statuses, withOthers } from './states.ts'

const updated = sentence('Update backfill', 'with the updated values')
const removed = sentence('States and transitions', 'the removed record is returned')
const copy = sentence('Trigger pipeline', 'with `event_variables` equal to the body')
const refuses = sentence('Delete block', 'When the block has downstream dependencies')
const optional = [
  'name',
  'start_datetime',
  'end_datetime',
  'interval_type',
  'interval_units',
  'variables',
] as const
const idOf = ({ parameters }: MutantRequest) => parameters.backfill_id ?? ''
const listOf = (value: unknown): readonly unknown[] => (Array.isArray(value) ? value : [])

/** Handles requests by the last status that each backfill was given. */
const inStatus = (
  place: ReturnType<typeof at>,
  status: string,
  handle: Parameters<typeof handles>[1],
): Target =>
  remembers(place, (applies) => () => {
    const known = new Map<string, unknown>()
    return async (request, ask) => {
      const before = known.get(idOf(request))
      const reply = await (applies(request) && before === status ? handle(request, ask) : ask())
      const { status: sent } = sentRecord(request)
      if (request.operation === 'updateBackfill' && sent !== undefined && !isErrorReply(reply))
        known.set(idOf(request), sent)
      return reply
    }
  })

/** Answers a list with the reply to the request before that differs only in a parameter, unless something was written. */
const cachedWithout = (operation: OperationId, name: string): Target =>
  remembers(at(operation, name, pathOf(operation), always), (applies) => () => {
    let last: { readonly key: string; readonly reply: Awaited<ReturnType<Parameters<typeof handles>[1]>> } | undefined
    return async (request, ask) => {
      if (request.method !== 'GET') last = undefined
      if (!applies(request)) return ask()
      const query = new URLSearchParams(request.query)
      query.delete(name)
      const key = `${request.path}?${query}`
      if (last?.key === key) return last.reply
      const reply = await ask()
      if (!isErrorReply(reply)) last = { key, reply }
      return reply
    }
  }) // biome-ignore format: one type a line

/** Changes what an operation does to records that it must not reach. */
const reaches = (operation: OperationId, aspect: string, change: Json): Target =>
  handles(at(operation, aspect, pathOf(operation), always), async (request, ask) => {
    const reply = await ask()
    if (isErrorReply(reply)) return reply
    const own = request.parameters.pipeline_uuid ?? recordIn(reply, facts(operation).singular)?.pipeline_uuid
    const { others } = await withOthers(request, ask)
    const [other] = others.filter(({ pipeline_uuid }) => pipeline_uuid === own).slice(-1)
    if (other)
      await ask({
        method: 'PUT',
        path: `/api/pipelines/${own}/backfills/${other.id}${request.search}`,
        body: { backfill: change },
      })
    return reply
  })

/** Changes that depend on earlier requests to the same record, or to another one. */
export const leakingOperators = defineOperators({
  'frozen-in-status': [
    'ignores an attribute of a backfill that has a certain status',
    statuses.flatMap((status) =>
      optional.map((name) =>
        inStatus(at('updateBackfill', `${name}-when-${status}`, updated, always), status, (request, ask) =>
          ask({ body: bodyWith(request, without(sentRecord(request), name)) }),
        ),
      ),
    ),
  ],
  'refused-in-status': [
    'refuses an update without a status of a backfill that has a certain one',
    statuses.map((status) =>
      inStatus(at('updateBackfill', `when-${status}`, updated, always), status, (request, ask) =>
        'status' in sentRecord(request) ? ask() : refusal('It cannot be changed any more.'),
      ),
    ),
  ],
  'undeletable-in-status': [
    'refuses to delete a backfill that has a certain status',
    statuses.map((status) =>
      inStatus(at('deleteBackfill', `when-${status}`, removed, always), status, () =>
        refusal('It cannot be deleted.'),
      ),
    ),
  ],
  'deleted-as-created': [
    'returns a deleted backfill as it was created',
    remembers(at('deleteBackfill', 'record', removed, always), (applies) => () => {
      const created = new Map<string, Json>()
      return async (request, ask) => {
        const reply = await ask()
        const backfill = recordIn(reply, 'backfill')
        if (request.operation === 'createBackfill' && backfill) created.set(String(backfill.id), backfill)
        const first = created.get(idOf(request))
        return applies(request) && backfill && first ? { ...reply, body: { backfill: first } } : reply
      }
    }),
  ],
  'dates-in-order': [
    'exchanges the dates of a backfill when the end is before the start',
    remembers(at('updateBackfill', 'end_datetime', updated, always), (applies) => () => {
      const known = new Map<string, Json>()
      return (request, ask) => {
        if (!applies(request)) return ask()
        const { start_datetime: start, end_datetime: end } = { ...known.get(request.path), ...sentRecord(request) }
        known.set(request.path, { start_datetime: start, end_datetime: end })
        const isReversed = typeof start === 'string' && typeof end === 'string' && end < start
        const swapped = { ...sentRecord(request), start_datetime: end, end_datetime: start }
        return isReversed ? ask({ body: bodyWith(request, swapped) }) : ask()
      }
    }),
  ],
  'id-of-another': [
    'gives a backfill that is created after a deletion the id of another one',
    remembers(at('createBackfill', 'id', pathOf('createBackfill'), always), (applies) => () => {
      let hasDeleted = false
      let newest: unknown
      return async (request, ask) => {
        const reply = await ask()
        const backfill = recordIn(reply, 'backfill')
        if (request.operation === 'deleteBackfill' && backfill?.id !== newest) hasDeleted = true
        if (!applies(request) || !backfill) return reply
        const shown = hasDeleted && newest !== undefined ? newest : backfill.id
        newest = backfill.id
        return { ...reply, body: { backfill: { ...backfill, id: shown } } }
      }
    }),
  ],
  'refusal-remembered': [
    'refuses to delete a block once it was refused, though nothing depends on it any more',
    remembers(at('deleteBlock', 'record', refuses, always), (applies) => () => {
      const refused = new Set<string>()
      return async (request, ask) => {
        if (!applies(request) || request.query.has('force')) return ask()
        if (refused.has(request.path)) return refusal('Others depend on it.')
        const reply = await ask()
        if (isErrorReply(reply) && !isUnknown(reply)) refused.add(request.path)
        return reply
      }
    }),
  ],
  'namesakes-share': [
    'shows a value of the block of the same name in another pipeline',
    (['content', 'type', 'language', 'configuration'] as const).map((name) =>
      remembers(at('readBlock', name, sentence('Block', `\`${name}\``), always), (applies) => () => {
        const values = new Map<unknown, unknown>()
        return async (request, ask) => {
          const sent = sentRecord(request)
          const reply = await ask()
          if (request.operation === 'createBlock' && name in sent && !isErrorReply(reply))
            values.set(sent.name, sent[name])
          const block = recordIn(reply, 'block')
          if (!applies(request) || !block || !values.has(block.name)) return reply
          return { ...reply, body: { block: { ...block, [name]: values.get(block.name) } } }
        }
      }),
    ),
  ],
  'priority-replaces': [
    'removes the block in whose position another one is created',
    handles(at('createBlock', 'priority', sentence('Create block', '`priority`'), always), async (request, ask) => {
      const { priority } = sentRecord(request)
      const pipeline = recordIn(await ask({ method: 'GET', path: request.path.replace('/blocks', ''), body: undefined }), 'pipeline')
      const reply = await ask()
      const before = listOf(pipeline?.blocks)[Number(priority)]
      if (priority !== undefined && isObject(before) && !isErrorReply(reply))
        await ask({ method: 'DELETE', path: `${request.path}/${before.uuid}?force=True`, body: undefined })
      return reply
    }),
  ],
  'variables-of-before': [
    'adds the variables of the run before to those of a run',
    (['any', 'same'] as const).map((schedule) =>
      remembers(at('triggerPipeline', `of-${schedule}-schedule`, copy, always), (applies) => () => {
        const last = new Map<string, Json>()
        return async (request, ask) => {
          const reply = await ask()
          const run = recordIn(reply, 'pipeline_run')
          if (!applies(request) || !run || !isObject(run.event_variables)) return reply
          const key = schedule === 'same' ? request.path : ''
          const event_variables = { ...last.get(key), ...run.event_variables }
          last.set(key, run.event_variables)
          return { ...reply, body: { pipeline_run: { ...run, event_variables } } }
        }
      }),
    ),
  ],
  'run-repeated': [
    'replies to a trigger with the body of an earlier one with that run',
    remembers(at('triggerPipeline', 'id', pathOf('triggerPipeline'), always), (applies) => () => {
      const runs = new Map<string, Awaited<ReturnType<Parameters<typeof handles>[1]>>>()
      return async (request, ask) => {
        const key = `${request.path} ${JSON.stringify(request.body)}`
        const before = applies(request) ? runs.get(key) : undefined
        const reply = before ?? (await ask())
        if (applies(request) && !isErrorReply(reply)) runs.set(key, reply)
        return reply
      }
    }),
  ],
  'locked-after-refusal': [
    'refuses a schedule that was triggered with an incorrect token',
    remembers(at('triggerPipeline', 'token', pathOf('triggerPipeline'), always), (applies) => () => {
      const locked = new Set<string | undefined>()
      return async (request, ask) => {
        const { pipeline_schedule_id: id } = request.parameters
        if (applies(request) && locked.has(id)) return unknown
        const reply = await ask()
        if (applies(request) && isErrorReply(reply)) locked.add(id)
        return reply
      }
    }),
  ],
  'session-ends-at-failed-sign-in': [
    'ends the sessions of a user at a failed sign-in',
    remembers(at('createSession', 'token', pathOf('createSession'), always), (applies) => () => {
      const ended = new Set<string>()
      const seen = new Set<string>()
      return async (request, ask) => {
        const token = request.headers.get('oauth-token') ?? ''
        if (token !== '' && ended.has(token)) return refusal('Sign in first.', 401, 'unauthorized')
        if (token !== '') seen.add(token)
        const reply = await ask()
        if (applies(request) && isErrorReply(reply)) for (const each of seen) ended.add(each)
        return reply
      }
    }),
  ],
  'cached-by-less': [
    'answers a list as before when only one parameter differs',
    (
      [
        ['listBackfills', '_limit'],
        ['listBackfills', '_offset'],
        ['listBackfills', 'pipeline_uuid'],
        ['listBackfills', 'include_run_count'],
        ['listOauthAccessTokens', '_limit'],
        ['listOauthAccessTokens', '_offset'],
        ['listOauthAccessTokens', 'show_all'],
        ['listPipelineSchedules', 'tag[]'],
        ['listLogs', '_limit'],
        ['listLogs', '_offset'],
        ['listLogs', 'start_timestamp'],
      ] as const
    ).map(([operation, name]) => cachedWithout(operation, name)),
  ],
  'reaches-others': [
    'changes a backfill of the same pipeline by a request for something else',
    (['createBlock', 'deleteBlock', 'createBackfill', 'deleteBackfill', 'triggerPipeline'] as const).flatMap((operation) => [
      reaches(operation, 'name', { name: 'changed' }),
      reaches(operation, 'variables', { variables: {} }),
      reaches(operation, 'status', { status: 'cancelled' }),
    ]),
  ],
  'nth-otherwise': [
    'shows another status in the list for some of the backfills of a pipeline',
    [5, 8, 11].map((nth) =>
      remembers(at('listBackfills', `number-${nth}`, sentence('States and transitions', '`status` is null in the response'), always), (applies) => () => {
        const counts = new Map<string, number>()
        const odd = new Set<unknown>()
        return async (request, ask) => {
          const reply = await ask()
          if (request.operation === 'createBackfill' && !isErrorReply(reply)) {
            const count = (counts.get(request.path) ?? 0) + 1
            counts.set(request.path, count)
            if (count === nth) odd.add(recordIn(reply, 'backfill')?.id)
          }
          if (!applies(request) || !isObject(reply.body) || isErrorReply(reply)) return reply
          const backfills = recordsIn(reply, 'backfills').map((record) =>
            odd.has(record.id) && record.status === null ? { ...record, status: 'initial' } : record,
          )
          return { ...reply, body: { ...reply.body, backfills } }
        }
      }),
    ),
  ],
}) // biome-ignore format: one place a line
