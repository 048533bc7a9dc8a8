import type { Json, ParsedReply } from '../../../contract-tests/mutants/define-mutant.ts'
import type { Statement } from '../../../contract-tests/rules/document.ts'
import type { OperationId } from '../../../contract-tests/rules/operation-id.ts'
import { isObject } from '../../../contract-tests/runner/is-object.ts'
import {
  at,
  atPath,
  bodyWith,
  defineOperators,
  earlier,
  early,
  everywhere,
  facts,
  handles,
  isUnknown,
  mapRecords,
  pathOf,
  recordIn,
  records,
  requests,
  sentence,
  sentRecord,
  succeeded,
  success,
  type Target,
  unknown,
} from '../mutant.ts'
import { deletesBlock, newBackfill, removedReturned, updatedValues } from '../sentences.ts'
import { type Handler, isErrorReply, type MutantRequest } from '../serve-mutant.ts'
import type { TriggerName } from '../triggers.ts'
import { updates, withOthers } from './backfill-states.ts'

const newRun = sentence('States and transitions', '`event_variables` is set from the request body')
const nulls = sentence('Create backfill', 'a newly created backfill has null')
const needsId = sentence('What the service does', 'An update needs the id')
const schedule = sentence('Trigger pipeline', 'Schedule the run belongs to')
const few: readonly TriggerName[] = [
  ...early, 'from-the-fourth-request', 'every-third-request', 'after-an-error',
  'while-another-is-answered', 'only-with-the-key-in-the-query',
] // biome-ignore format: one list

const { attributes } = facts('updateBackfill')
const timestamps =
  attributes === 'all' ? [] : attributes.filter(({ isTimestamp }) => isTimestamp).map(({ name }) => name)

/** Formats a backfill like the replies to writes: timestamps without fractions of a second. */
const asWritten = (record: Json): Json =>
  Object.fromEntries(
    Object.entries(record).map(([name, value]) => [
      name,
      timestamps.includes(name) && typeof value === 'string' ? value.slice(0, 19) : value,
    ]),
  )

/** Sets attributes of new records to other values. */
const beginsWith = (operation: OperationId, values: Json, stated: (name: string) => Statement): Target[] =>
  Object.entries(values).map(([name, value]) =>
    records(at(operation, name, stated(name)), (record) => ({ ...record, [name]: value })),
  )
const short = '2026-01-31 12:00:00'

/** Repeats the reply to the first request with the same key. */
const answersLike = (
  operation: OperationId,
  aspect: string,
  stated: Statement,
  keyOf: (request: MutantRequest) => string,
  triggers: readonly TriggerName[] = few,
): Target =>
  handles(at(operation, aspect, stated, ...triggers), (request, forward) => {
    const before = succeeded(request, operation).findLast((own) => keyOf(own.request) === keyOf(request))
    return before ? success(before.reply.body) : forward()
  })

const writes = [
  'createPipeline', 'createBlock', 'deleteBlock', 'createBackfill', 'updateBackfill', 'deleteBackfill', 'triggerPipeline',
] as const // biome-ignore format: one list

/** Values that reads may show instead, different ones for each count. */
export const shownOtherwise = {
  listBackfills: (count: number): Json => ({ variables: { changed: count } }),
  readPipeline: (count: number): Json => ({ executor_config: { changed: count } }),
  listPipelineSchedules: (count: number): Json => ({ pipeline_runs_count: 99 + count }),
  readBlock: (count: number): Json => ({ content: `changed ${count}` }),
}

/** Shows other values in records that an operation does not change, after some replies. */
function shownAfter(
  operation: (typeof writes)[number],
  aspect: string,
  counts: (reply: ParsedReply) => boolean,
  enough: number,
): Target {
  const ofOthers = operation === 'triggerPipeline' ? 'listPipelineSchedules' : 'readPipeline'
  const read = operation.endsWith('Backfill') ? 'listBackfills' : ofOthers
  return everywhere(atPath(operation, aspect, 'always'), (applies) => () => async (request, forward) => {
    const reply = await forward()
    if (request.operation !== read || !isObject(reply.body) || isErrorReply(reply)) return reply
    const count = request.earlier.filter((own) => applies(own.request) && counts(own.reply)).length
    if (count < enough) return reply
    const changed = shownOtherwise[read](count)
    return { ...reply, body: mapRecords(reply.body, request, (record) => ({ ...record, ...changed })) }
  })
}

/** Changes another backfill on a deletion. */
const deletesToo = (
  aspect: string,
  triggers: readonly TriggerName[],
  choose: (others: readonly Json[], own: Json | undefined) => Json | undefined,
): Target =>
  handles(at('deleteBackfill', aspect, removedReturned, ...triggers), async (request, forward) => {
    const { own, others } = await withOthers(request, forward)
    const reply = await forward()
    const other = choose(others, own)
    if (other && !isErrorReply(reply)) await forward({ path: `/api/backfills/${other.id}${request.search}` })
    return reply
  })

/** Replies to a deletion without deleting. */
const readsBlockInstead: Handler = async (request, forward) => {
  const reply = await forward({ method: 'GET', path: request.path + request.search })
  const read = recordIn(reply, 'block')
  if (!read || (Array.isArray(read.downstream_blocks) && read.downstream_blocks.length > 0)) return forward()
  const { content, outputs, ...block } = read
  return success({ block })
}
const readsBackfillInstead: Handler = async (request, forward) => {
  const { own } = await withOthers(request, forward)
  return own ? success({ backfill: asWritten(own) }) : forward()
}
const revertsUpdate: Handler = async (request, forward) => {
  const { own } = await withOthers(request, forward)
  const reply = await forward()
  const before = Object.keys(sentRecord(request)).map((name) => [name, own?.[name]] as const)
  if (own && !isErrorReply(reply)) await forward({ body: bodyWith(request, Object.fromEntries(before)) })
  return reply
}

/** Changes of creations, updates and deletions. */
export const recordOperators = defineOperators({
  'begins-otherwise': [
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
    handles(at('updateBackfill', 'record', updatedValues), revertsUpdate),
    handles(at('deleteBackfill', 'record', removedReturned), readsBackfillInstead),
    handles(at('deleteBlock', 'record', deletesBlock), readsBlockInstead),
  ],
  'neighbour-changed': ([true, false] as const).flatMap((isSame) =>
    ['status', 'name', 'interval_type', 'variables', 'interval_units'].map((name) =>
      handles(
        at(
          'updateBackfill',
          `${name}-of-${isSame ? 'the-same' : 'another'}-pipeline`,
          updatedValues,
          'always',
          'only-when-sent-alone',
          'only-when-sent-with-others',
          'from-the-fourth-request',
          'only-after-an-update',
        ),
        async (request, forward) => {
          const reply = await forward()
          const sent = sentRecord(request)
          if (!(name in sent) || isErrorReply(reply)) return reply
          const { own, others } = await withOthers(request, forward)
          for (const other of others)
            if ((other.pipeline_uuid === own?.pipeline_uuid) === isSame)
              await updates(forward, request, other, { [name]: sent[name] })
          return reply
        },
      ),
    ),
  ),
  'neighbour-shown-otherwise': writes.map((operation) =>
    shownAfter(operation, 'writes', (reply) => !isErrorReply(reply), 3),
  ),
  'changed-by-refusal': writes.map((operation) => shownAfter(operation, 'refusals', isErrorReply, 1)),
  'neighbour-removed': ([true, false] as const).map((isSame) =>
    deletesToo(isSame ? 'of-the-same-pipeline' : 'of-another-pipeline', few, (others, own) =>
      others.findLast(({ pipeline_uuid }) => (pipeline_uuid === own?.pipeline_uuid) === isSame),
    ),
  ),
  'one-removed-for-another': handles(
    at('deleteBackfill', 'record', removedReturned, ...few),
    async (request, forward) => {
      const { own, others } = await withOthers(request, forward)
      const newest = others.findLast(({ pipeline_uuid }) => pipeline_uuid === own?.pipeline_uuid)
      if (!own || !newest || Number(newest.id) < Number(own.id)) return forward()
      const reply = await forward({ path: `/api/backfills/${newest.id}${request.search}` })
      return { ...reply, body: { backfill: asWritten(own) } }
    },
  ),
  'namesake-removed': deletesToo('name', ['always'], (others, own) =>
    others.find(({ name, pipeline_uuid }) => name === own?.name && pipeline_uuid === own?.pipeline_uuid),
  ),
  'unknown-done': (
    [
      ['deleteBackfill', sentence('States and transitions', 'id exists')],
      ['updateBackfill', needsId],
      ['createBackfill', newBackfill],
      ['createBlock', pathOf('createBlock')],
      ['deleteBlock', deletesBlock],
      ['readBlock', sentence('Read block', 'returns the contents and metadata')],
      ['readPipeline', sentence('Read pipelines', 'fetches one')],
    ] as const
  ).map(([operation, stated]) =>
    handles(at(operation, 'record', stated), async (request, forward) => {
      const reply = await forward()
      const last = succeeded(request, operation).at(-1)
      return isUnknown(reply) && last ? { ...reply, body: last.reply.body } : reply
    }),
  ),
  'number-read-by-prefix': (
    [
      ['deleteBackfill', 'backfill_id', removedReturned],
      ['updateBackfill', 'backfill_id', needsId],
      ['triggerPipeline', 'pipeline_schedule_id', schedule],
    ] as const
  ).map(([operation, name, stated]) =>
    requests(at(operation, 'id', stated, ...early), ({ parameters, path, search }) => {
      const value = parameters[name] ?? ''
      const number = String(Number.parseInt(value, 10))
      return number === value || number === 'NaN'
        ? undefined
        : { path: path.replace(`/${value}`, `/${number}`) + search }
    }),
  ),
  'lost-on-second-read': (['readPipeline', 'readBlock'] as const).map((operation) =>
    handles(atPath(operation, 'record'), (request, forward) =>
      earlier(request, operation).some((own) => own.request.path === request.path) ? unknown : forward(),
    ),
  ),
  'created-twice': handles(at('createBackfill', 'record', newBackfill), async (_, forward) => {
    await forward()
    return forward()
  }),
  'one-for-all': [
    answersLike('createBackfill', 'record', newBackfill, ({ path }) => path),
    answersLike('triggerPipeline', 'record', newRun, ({ path }) => path),
  ],
  'one-for-a-name': [
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
    beginsWith('triggerPipeline', { pipeline_schedule_id: 1 }, () => schedule),
    records(at('triggerPipeline', 'pipeline_uuid', sentence('Pipeline run', '`pipeline_uuid`')), (run) => ({
      ...run,
      pipeline_uuid: String(run.pipeline_schedule_id),
    })),
  ],
  uncounted: [null, '0', true].map((value) => ({
    ...records(
      at('listBackfills', 'total_run_count', sentence('Read backfills', 'items carry `total_run_count`')),
      (record) => ('total_run_count' in record ? { ...record, total_run_count: value } : record),
    ),
    aspect: `total_run_count-${value}`,
  })),
})
