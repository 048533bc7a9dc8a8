import type { Json, ParsedReply } from '../../../contract-tests/mutants/define-mutant.ts'
import type { OperationId } from '../../../contract-tests/rules/operation-id.ts'
import { isObject } from '../../../contract-tests/runner/is-object.ts'
import {
  at,
  bodyWith,
  defineOperators,
  facts,
  handles,
  isUnknown,
  mapRecords,
  pathOf,
  readList,
  recordIn,
  records,
  refusal,
  remembers,
  requests,
  sentence,
  sentRecord,
  success,
  type Target,
  unknown,
} from '../mutant.ts'
import { type Ask, type Handler, isErrorReply, type MutantRequest } from '../serve-mutant.ts'
import { always, named, type TriggerName } from '../triggers.ts'

const supplied = sentence('States and transitions', 'the supplied value')
const removed = sentence('States and transitions', 'the removed record is returned')
const newBackfill = sentence('States and transitions', 'pipeline uuid in the path')
const newRun = sentence('States and transitions', '`event_variables` is set from the request body')
const nulls = sentence('Create backfill', 'a newly created backfill has null')
const updated = sentence('Update backfill', 'with the updated values')
const needsId = sentence('What the service does', 'An update needs the id')
const schedule = sentence('Trigger pipeline', 'Schedule the run belongs to')
const few: readonly TriggerName[] = [
  'always', 'from-the-second-request', 'from-the-fourth-request', 'every-third-request', 'after-an-error',
  'while-another-is-answered', 'only-with-the-key-in-the-query',
] // biome-ignore format: one list

const backfillsOf = (request: MutantRequest, ask: Ask) =>
  readList(ask, `/api/backfills${request.search}`, 'backfills')

/** Finds the backfill in the path of a request, and the others. */
export async function withOthers(
  request: MutantRequest,
  ask: Ask,
): Promise<{ own: Json | undefined; others: Json[] }> {
  const all = await backfillsOf(request, ask)
  const own = all.find(({ id }) => String(id) === request.parameters.backfill_id)
  return { own, others: all.filter((other) => other !== own) }
}

const { attributes } = facts('updateBackfill')
const timestamps =
  attributes === 'all' ? [] : attributes.filter(({ isTimestamp }) => isTimestamp).map(({ name }) => name)

/** Formats a backfill as writes show it: timestamps without fractions of a second. */
const asWritten = (record: Json): Json =>
  Object.fromEntries(
    Object.entries(record).map(([name, value]) => [
      name,
      timestamps.includes(name) && typeof value === 'string' ? value.slice(0, 19) : value,
    ]),
  )

/** The states of a backfill. */
export const statuses = ['initial', 'running', 'completed', 'failed', 'cancelled'] as const
const transitions = ['null', ...statuses].flatMap((from) => statuses.map((to) => [from, to] as const))

/** Handles an update by the status before and after it, and by the number of its repetitions. */
const onStatus = (
  aspect: string,
  fits: (from: string, to: unknown, repetitions: number) => boolean,
  handle: Handler,
): Target =>
  remembers(at('updateBackfill', aspect, supplied, always), (applies) => () => {
    const known = new Map<string, { status: string; repetitions: number }>()
    return async (request, ask) => {
      const id = request.parameters.backfill_id ?? ''
      const { status } = sentRecord(request)
      if (!applies(request) || status === undefined) return ask()
      const { status: from, repetitions } = known.get(id) ?? { status: 'null', repetitions: 0 }
      const again = from === status ? repetitions + 1 : 0
      const reply = await (fits(from, status, again) ? handle(request, ask) : ask())
      if (!isErrorReply(reply)) known.set(id, { status: String(status), repetitions: again })
      return reply
    }
  })

/** Sends an update without its status, and shows it in the reply. */
const losesStatus: Handler = async (request, ask) => {
  const { status, ...sent } = sentRecord(request)
  const reply = await ask({ body: bodyWith(request, sent) })
  const backfill = recordIn(reply, 'backfill')
  return backfill ? { ...reply, body: { backfill: { ...backfill, status } } } : reply
}
const storesStatus =
  (status: string): Handler =>
  (request, ask) =>
    ask({ body: bodyWith(request, { ...sentRecord(request), status }) })
const refusesStatus: Handler = () => refusal('The status cannot change.')

/** Changes of the transitions between the states of a backfill. */
export const transitionOperators = defineOperators({
  'transition-refused': [
    'refuses one transition',
    transitions.map(([from, to]) =>
      onStatus(`${from}-to-${to}`, (one, other) => one === from && other === to, refusesStatus),
    ),
  ],
  'transition-lost': [
    'shows the new status of one transition, and does not store it',
    transitions.map(([from, to]) =>
      onStatus(`${from}-to-${to}`, (one, other) => one === from && other === to, losesStatus),
    ),
  ],
  'transition-replaced': [
    'stores another status for one transition',
    transitions.map(([from, to]) =>
      onStatus(
        `${from}-to-${to}`,
        (one, other) => one === from && other === to,
        storesStatus(to === 'failed' ? 'cancelled' : 'failed'),
      ),
    ),
  ],
  'repetition-refused': [
    'refuses a status that the backfill already has',
    [1, 2].flatMap((times) =>
      statuses.map((status) =>
        onStatus(
          `${status}-${times}`,
          (_, to, repetitions) => to === status && repetitions === times,
          refusesStatus,
        ),
      ),
    ),
  ],
  'repetition-toggles': [
    'changes a status that is set again to another one',
    [1, 2].flatMap((times) =>
      statuses.map((status) =>
        onStatus(
          `${status}-${times}`,
          (_, to, repetitions) => to === status && repetitions === times,
          storesStatus(status === 'initial' ? 'running' : 'initial'),
        ),
      ),
    ),
  ],
  'empty-update': [
    'changes a record by an update without attributes',
    Object.entries({
      'resets-status': { status: 'initial' },
      'resets-variables': { variables: {} },
      'resets-name': { name: '' },
    }).map(([aspect, instead]) =>
      handles(at('updateBackfill', aspect, updated, always), (request, ask) => {
        const isEmpty = Object.keys(sentRecord(request)).length === 0
        return ask(isEmpty ? { body: bodyWith(request, instead) } : undefined)
      }),
    ),
  ],
  'unchanged-update-refused': [
    'refuses an update that changes nothing',
    remembers(at('updateBackfill', 'record', updated, always), (applies) => () => {
      const last = new Map<string, string>()
      return async (request, ask) => {
        const sent = JSON.stringify(sentRecord(request))
        if (applies(request) && last.get(request.path) === sent) return refusal('Nothing has changed.')
        const reply = await ask()
        if (!isErrorReply(reply)) last.set(request.path, sent)
        return reply
      }
    }),
  ],
  'sibling-follows': [
    'changes another backfill of the same pipeline and status too',
    statuses.map((status) =>
      handles(at('updateBackfill', `status-${status}`, updated, always), async (request, ask) => {
        const { own, others } = await withOthers(request, ask)
        const reply = await ask()
        if (sentRecord(request).status !== status || isErrorReply(reply)) return reply
        const sibling = others.find(
          (other) => other.pipeline_uuid === own?.pipeline_uuid && other.status === own?.status,
        )
        if (sibling) await updates(ask, request, sibling, { status })
        return reply
      }),
    ),
  ],
})

const updates = (ask: Ask, request: MutantRequest, { id, pipeline_uuid }: Json, change: Json) =>
  ask({
    method: 'PUT',
    path: `/api/pipelines/${pipeline_uuid}/backfills/${id}${request.search}`,
    body: bodyWith(request, change),
  })

/** Sets attributes of new records to other values. */
const beginsWith = (
  operation: OperationId,
  values: Json,
  stated?: (name: string) => ReturnType<typeof sentence>,
): Target[] =>
  Object.entries(values).map(([name, value]) =>
    records(at(operation, name, stated?.(name) ?? pathOf(operation)), (record) => ({
      ...record,
      [name]: value,
    })),
  )
const short = '2026-01-31 12:00:00'

/** Handles an operation by the success of the last request that matches. */
const answersLike = (
  operation: OperationId,
  aspect: string,
  stated: ReturnType<typeof sentence>,
  keyOf: (request: MutantRequest) => string,
  triggers: readonly TriggerName[] = few,
): Target =>
  remembers(at(operation, aspect, stated, named(...triggers)), (applies) => () => {
    const first = new Map<string, unknown>()
    return async (request, ask) => {
      const before = first.get(keyOf(request))
      if (before !== undefined && applies(request)) return success(before)
      const reply = await ask()
      if (request.operation === operation && !isErrorReply(reply)) first.set(keyOf(request), reply.body)
      return reply
    }
  })

const writes = [
  'createPipeline', 'createBlock', 'deleteBlock', 'createBackfill', 'updateBackfill', 'deleteBackfill', 'triggerPipeline',
] as const // biome-ignore format: one list

type ReadChange = readonly [read: OperationId, change: (count: number) => Json]
const backfillsChange: ReadChange = ['listBackfills', (count) => ({ variables: { changed: count } })]
const pipelineChange: ReadChange = ['readPipeline', (count) => ({ executor_config: { changed: count } })]
const schedulesChange: ReadChange = [
  'listPipelineSchedules',
  (count) => ({ pipeline_runs_count: 99 + count }),
]
const blockChange: ReadChange = ['readBlock', (count) => ({ content: `changed ${count}` })]

/** Shows other values in records that an operation leaves alone, once it has had some replies. */
function shownAfter(
  operation: (typeof writes)[number],
  aspect: string,
  counts: (reply: ParsedReply) => boolean,
  enough: number,
): Target {
  const [read, change] = operation.endsWith('Backfill')
    ? backfillsChange
    : operation === 'triggerPipeline'
      ? schedulesChange
      : pipelineChange
  return remembers(at(operation, aspect, pathOf(operation), always), (applies) => () => {
    let count = 0
    return async (request, ask) => {
      const reply = await ask()
      if (applies(request) && counts(reply)) count++
      if (count < enough || request.operation !== read || !isObject(reply.body) || isErrorReply(reply))
        return reply
      const body = mapRecords(reply.body, request, (record) => ({ ...record, ...change(count) }))
      return { ...reply, body }
    }
  })
}

/** Changes of how records are created, updated and deleted. */
export const recordOperators = defineOperators({
  'begins-otherwise': [
    'gives a new record another value',
    beginsWith(
      'createBackfill',
      { status: 'initial', started_at: short, completed_at: short, failed_at: short },
      () => newBackfill,
    ),
    beginsWith(
      'createBackfill',
      { start_datetime: short, end_datetime: short, interval_type: 'day', interval_units: 1 },
      () => nulls,
    ),
    beginsWith(
      'createPipeline',
      { executor_count: 0, blocks: null, callbacks: {}, widgets: null, conditionals: [{}] },
      () => sentence('Create pipeline', 'A new pipeline has empty'),
    ),
    beginsWith(
      'createPipeline',
      { description: '', updated_at: `${short}.000000+00:00`, executor_config: null, data_integration: {} },
      (name) => sentence('Pipeline', `\`${name}\``),
    ),
    beginsWith('triggerPipeline', { status: 'initial', event_variables: {} }, () => newRun),
  ],
  'change-lost': [
    'replies as if it had changed a record, and changes nothing',
    handles(at('updateBackfill', 'record', updated), async (request, ask) => {
      const { own } = await withOthers(request, ask)
      const reply = await ask()
      if (!own || isErrorReply(reply)) return reply
      await ask({
        body: bodyWith(
          request,
          Object.fromEntries(Object.keys(sentRecord(request)).map((name) => [name, own[name]])),
        ),
      })
      return reply
    }),
    handles(at('deleteBackfill', 'record', removed), async (request, ask) => {
      const { own } = await withOthers(request, ask)
      return own ? success({ backfill: asWritten(own) }) : ask()
    }),
    handles(
      at('deleteBlock', 'record', sentence('Delete block', 'deletes a block from a pipeline')),
      async (request, ask) => {
        const reply = await ask({ method: 'GET', path: request.path + request.search })
        const read = recordIn(reply, 'block')
        if (!read || (Array.isArray(read.downstream_blocks) && read.downstream_blocks.length > 0))
          return ask()
        const { content, outputs, ...block } = read
        return success({ block })
      },
    ),
  ],
  'neighbour-changed': [
    'changes another record too',
    ([true, false] as const).flatMap((isSame) =>
      ['status', 'name', 'interval_type', 'variables', 'interval_units'].map((name) =>
        handles(
          at(
            'updateBackfill',
            `${name}-of-${isSame ? 'the-same' : 'another'}-pipeline`,
            updated,
            named(
              'always',
              'only-when-sent-alone',
              'only-when-sent-with-others',
              'from-the-fourth-request',
              'only-after-an-update',
            ),
          ),
          async (request, ask) => {
            const reply = await ask()
            const sent = sentRecord(request)
            if (!(name in sent) || isErrorReply(reply)) return reply
            const { own, others } = await withOthers(request, ask)
            for (const other of others)
              if ((other.pipeline_uuid === own?.pipeline_uuid) === isSame)
                await updates(ask, request, other, { [name]: sent[name] })
            return reply
          },
        ),
      ),
    ),
  ],
  'neighbour-shown-otherwise': [
    'shows other records otherwise after some writes',
    writes.map((operation) => shownAfter(operation, 'writes', (reply) => !isErrorReply(reply), 3)),
  ],
  'changed-by-refusal': [
    'shows other records otherwise after a refused request',
    writes.map((operation) => shownAfter(operation, 'refusals', isErrorReply, 1)),
  ],
  'neighbour-removed': [
    'deletes another backfill too',
    ([true, false] as const).map((isSame) =>
      handles(
        at('deleteBackfill', isSame ? 'of-the-same-pipeline' : 'of-another-pipeline', removed, named(...few)),
        async (request, ask) => {
          const { own, others } = await withOthers(request, ask)
          const reply = await ask()
          const [other] = others
            .filter(({ pipeline_uuid }) => (pipeline_uuid === own?.pipeline_uuid) === isSame)
            .slice(-1)
          if (other && !isErrorReply(reply))
            await ask({ path: `/api/backfills/${other.id}${request.search}` })
          return reply
        },
      ),
    ),
  ],
  'one-removed-for-another': [
    'deletes the newest backfill of the pipeline, and returns the one in the path',
    handles(at('deleteBackfill', 'record', removed, named(...few)), async (request, ask) => {
      const { own, others } = await withOthers(request, ask)
      const [newest] = others.filter(({ pipeline_uuid }) => pipeline_uuid === own?.pipeline_uuid).slice(-1)
      if (!own || !newest || Number(newest.id) < Number(own.id)) return ask()
      const reply = await ask({ path: `/api/backfills/${newest.id}${request.search}` })
      return { ...reply, body: { backfill: asWritten(own) } }
    }),
  ],
  'namesake-removed': [
    'deletes the first backfill of the same name too',
    handles(at('deleteBackfill', 'name', removed, always), async (request, ask) => {
      const { own, others } = await withOthers(request, ask)
      const reply = await ask()
      const namesake = others.find(
        ({ name, pipeline_uuid }) => name === own?.name && pipeline_uuid === own?.pipeline_uuid,
      )
      if (namesake && !isErrorReply(reply))
        await ask({ path: `/api/backfills/${namesake.id}${request.search}` })
      return reply
    }),
  ],
  'unknown-done': [
    'reports success for an unknown record',
    (
      [
        ['deleteBackfill', sentence('States and transitions', 'id exists')],
        ['updateBackfill', needsId],
        ['createBackfill', newBackfill],
        ['createBlock', pathOf('createBlock')],
        ['deleteBlock', sentence('Delete block', 'deletes a block from a pipeline')],
        ['readBlock', sentence('Read block', 'returns the contents and metadata')],
        ['readPipeline', sentence('Read pipelines', 'fetches one')],
      ] as const
    ).map(([operation, stated]) =>
      remembers(at(operation, 'record', stated), (applies) => () => {
        let last: unknown
        return async (request, ask) => {
          const reply = await ask()
          if (request.operation !== operation) return reply
          if (!isErrorReply(reply)) last = reply.body
          return applies(request) && isUnknown(reply) && last !== undefined ? { ...reply, body: last } : reply
        }
      }),
    ),
  ],
  'number-read-by-prefix': [
    'reads 12x in a path as 12',
    (
      [
        ['deleteBackfill', 'backfill_id', removed],
        ['updateBackfill', 'backfill_id', needsId],
        ['triggerPipeline', 'pipeline_schedule_id', schedule],
      ] as const
    ).map(([operation, name, stated]) =>
      requests(
        at(operation, 'id', stated, named('always', 'from-the-second-request')),
        ({ parameters, path, search }) => {
          const value = parameters[name] ?? ''
          const number = String(Number.parseInt(value, 10))
          return number === value || number === 'NaN'
            ? undefined
            : { path: path.replace(`/${value}`, `/${number}`) + search }
        },
      ),
    ),
  ],
  'lost-on-second-read': [
    'finds a record only once',
    (['readPipeline', 'readBlock'] as const).map((operation) =>
      remembers(at(operation, 'record', pathOf(operation)), (applies) => () => {
        const seen = new Set<string>()
        return (request, ask) => {
          if (request.operation !== operation) return ask()
          if (seen.has(request.path) && applies(request)) return unknown
          seen.add(request.path)
          return ask()
        }
      }),
    ),
  ],
  'created-twice': [
    'creates two records for one request',
    handles(at('createBackfill', 'record', newBackfill), async (_, ask) => {
      await ask()
      return ask()
    }),
  ],
  'one-for-all': [
    'replies to a creation with the record that was created before',
    answersLike('createBackfill', 'record', newBackfill, ({ path }) => path),
    answersLike('triggerPipeline', 'record', newRun, ({ path }) => path),
  ],
  'one-for-a-name': [
    'replies to a creation with the record of the same name',
    answersLike(
      'createBackfill',
      'name',
      newBackfill,
      (request) => `${request.path} ${sentRecord(request).name}`,
      ['always'],
    ),
    answersLike(
      'triggerPipeline',
      'variables',
      newRun,
      ({ path, body }) => `${path} ${Object.keys(Object(body)).sort()}`,
      ['always'],
    ),
  ],
  'run-elsewhere': [
    'gives a run to another schedule or pipeline',
    beginsWith('triggerPipeline', { pipeline_schedule_id: 1 }, () => schedule),
    records(at('triggerPipeline', 'pipeline_uuid', sentence('Pipeline run', '`pipeline_uuid`')), (run) => ({
      ...run,
      pipeline_uuid: String(run.pipeline_schedule_id),
    })),
  ],
  uncounted: [
    'gives a number of runs that is no integer',
    [null, '0', true].map((value) => ({
      ...records(
        at('listBackfills', 'total_run_count', sentence('Read backfills', 'items carry `total_run_count`')),
        (record) => ('total_run_count' in record ? { ...record, total_run_count: value } : record),
      ),
      aspect: `total_run_count-${value}`,
    })),
  ],
})

const created = [
  'name',
  'status',
  'variables',
  'interval_type',
  'interval_units',
  'start_datetime',
  'end_datetime',
]

/** Changes between the deletion of a record and the creation of the next one. */
export const lifeCycleOperators = defineOperators({
  'inherits-from-deleted': [
    'gives a new backfill a value of the last deleted one',
    created.map((name) =>
      remembers(
        at(
          'createBackfill',
          name,
          name === 'status' ? newBackfill : nulls,
          named('always', 'from-the-fourth-request'),
        ),
        (applies) => () => {
          let deleted: Json | undefined
          return async (request, ask) => {
            const reply = await ask()
            const backfill = recordIn(reply, 'backfill')
            if (!backfill) return reply
            if (request.operation === 'deleteBackfill') deleted = backfill
            if (!deleted || !applies(request) || deleted[name] === null) return reply
            const inherited = name === 'name' ? `${backfill.name} (2)` : deleted[name]
            return updates(ask, request, backfill, { [name]: inherited })
          }
        },
      ),
    ),
  ],
  'deleted-still-updated': [
    'updates a backfill that was deleted',
    remembers(at('updateBackfill', 'record', needsId, always), (applies) => () => {
      const deleted = new Map<string, Json>()
      return async (request, ask) => {
        const id = request.parameters.backfill_id ?? ''
        const reply = await ask()
        const backfill = recordIn(reply, 'backfill')
        if (request.operation === 'deleteBackfill' && backfill) deleted.set(id, backfill)
        const before = deleted.get(id)
        return before && applies(request)
          ? { ...reply, body: { backfill: { ...before, ...sentRecord(request) } } }
          : reply
      }
    }),
  ],
  'deleted-on-later-pages': [
    'lists deleted backfills on pages after the first',
    remembers(at('listBackfills', 'items', removed, always), (applies) => () => {
      const deleted: Json[] = []
      return async (request, ask) => {
        const reply = await ask()
        if (isErrorReply(reply) || !isObject(reply.body)) return reply
        const { backfill, backfills } = reply.body
        if (request.operation === 'deleteBackfill' && isObject(backfill)) deleted.push(backfill)
        if (!applies(request) || !(Number(request.query.get('_offset')) > 0) || !Array.isArray(backfills))
          return reply
        const wanted = request.query.get('pipeline_uuid')
        const again = deleted.filter(({ pipeline_uuid }) => wanted === null || pipeline_uuid === wanted)
        const limit = Number(request.query.get('_limit') ?? Number.POSITIVE_INFINITY)
        return { ...reply, body: { ...reply.body, backfills: [...backfills, ...again].slice(0, limit) } }
      }
    }),
  ],
  'deleted-twice': [
    'reports success for the second deletion of a record',
    remembers(
      at('deleteBackfill', 'record', removed, named('always', 'while-another-is-answered', 'after-an-error')),
      (applies) => () => {
        const deleted = new Map<string, unknown>()
        return async (request, ask) => {
          const key = request.path
          if (request.operation !== 'deleteBackfill') return ask()
          const before = deleted.get(key)
          const reply = await ask()
          if (!isErrorReply(reply)) deleted.set(key, reply.body)
          return before !== undefined && applies(request) ? success(before) : reply
        }
      },
    ),
  ],
})

/** Changes a backfill in lists some requests after its creation. */
const later = (aspect: string, requestsBefore: number, change: (record: Json) => Json | undefined): Target =>
  remembers(
    at(
      'listBackfills',
      `${aspect}-after-${requestsBefore}`,
      sentence('Read backfills', 'Pipeline whose backfills are read'),
      always,
    ),
    (applies) => () => {
      const createdAt = new Map<unknown, number>()
      return async (request, ask) => {
        const reply = await ask()
        if (!isObject(reply.body)) return reply
        const { backfill, backfills } = reply.body
        if (request.operation === 'createBackfill' && isObject(backfill))
          createdAt.set(backfill.id, request.total)
        if (!applies(request) || !Array.isArray(backfills)) return reply
        const isOld = ({ id }: Json) => request.total - (createdAt.get(id) ?? request.total) > requestsBefore
        const changed = backfills
          .filter(isObject)
          .flatMap((record) => (isOld(record) ? (change(record) ?? []) : record))
        return { ...reply, body: { ...reply.body, backfills: changed } }
      }
    },
  )

/** Changes of records that were created long before. */
export const laterOperators = defineOperators({
  'read-again-otherwise': [
    'shows another value when a record is read again, without a write in between',
    [backfillsChange, pipelineChange, schedulesChange, blockChange].map(([operation, change]) =>
      remembers(at(operation, 'record', pathOf(operation), always), (applies) => () => {
        const seen = new Set<string>()
        return async (request, ask) => {
          const reply = await ask()
          if (request.method !== 'GET') seen.clear()
          const key = `${request.path} ${request.query.get('pipeline_uuid')}`
          const isAgain = seen.has(key)
          if (applies(request)) seen.add(key)
          if (!isAgain || !applies(request) || !isObject(reply.body) || isErrorReply(reply)) return reply
          return {
            ...reply,
            body: mapRecords(reply.body, request, (record) => ({ ...record, ...change(7) })),
          }
        }
      }),
    ),
  ],
  'later-lost': [
    'loses backfills some time after their creation',
    [60, 200].map((count) => later('items', count, () => undefined)),
  ],
  'later-reset': [
    'changes a value of a backfill some time after its creation',
    created.flatMap((name) =>
      [60, 200].map((count) =>
        later(name, count, (record) => ({ ...record, [name]: name === 'name' ? 'backfill' : null })),
      ),
    ),
  ],
  'later-unreadable': [
    'loses a pipeline or block some requests after it was read first',
    (['readPipeline', 'readBlock'] as const).flatMap((operation) =>
      [60, 200].map((count) =>
        remembers(at(operation, `record-after-${count}`, pathOf(operation), always), (applies) => () => {
          const readAt = new Map<string, number>()
          return (request, ask) => {
            if (request.operation !== operation) return ask()
            const first = readAt.get(request.path) ?? request.total
            readAt.set(request.path, first)
            return applies(request) && request.total - first > count ? unknown : ask()
          }
        }),
      ),
    ),
  ],
})
