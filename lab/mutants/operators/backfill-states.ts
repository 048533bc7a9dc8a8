import type { Json } from '../../../contract-tests/mutants/define-mutant.ts'
import {
  at,
  bodyWith,
  defineOperators,
  earlier,
  handles,
  readList,
  recordIn,
  refusal,
  requests,
  sentRecord,
  succeeded,
  type Target,
  without,
} from '../mutant.ts'
import { removedReturned, suppliedValue, updatedValues } from '../sentences.ts'
import { type Forward, type Handler, isErrorReply, type MutantRequest } from '../serve-mutant.ts'

const statuses = ['initial', 'running', 'completed', 'failed', 'cancelled'] as const
const transitions = ['null', ...statuses].flatMap((from) => statuses.map((to) => [from, to] as const))

/** The attributes of a backfill that a request writes, except for its status. */
export const otherAttributes = [
  'name', 'start_datetime', 'end_datetime', 'interval_type', 'interval_units', 'variables',
] as const // biome-ignore format: one list

/** Finds the backfill in the path of a request, and the others. */
export async function withOthers(
  request: MutantRequest,
  forward: Forward,
): Promise<{ own?: Json; others: Json[] }> {
  const all = await readList(forward, `/api/backfills${request.search}`, 'backfills')
  const own = all.find(({ id }) => String(id) === request.parameters.backfill_id)
  return { ...(own && { own }), others: all.filter((other) => other !== own) }
}

/** Updates a backfill with the credentials of a request. */
export const updates = (
  forward: Forward,
  request: MutantRequest,
  { id, pipeline_uuid }: Json,
  change: Json,
) =>
  forward({
    method: 'PUT',
    path: `/api/pipelines/${pipeline_uuid}/backfills/${id}${request.search}`,
    body: bodyWith(request, change),
  })

/** The statuses that clients have written for the backfill in the path so far. */
const statusesBefore = (request: MutantRequest): unknown[] =>
  succeeded(request, 'updateBackfill')
    .filter(({ request: { parameters } }) => parameters.backfill_id === request.parameters.backfill_id)
    .flatMap(({ request: own }) => sentRecord(own).status ?? [])

/** Handles an update by the status before and after it, and by the number of its repetitions. */
const onStatus = (
  aspect: string,
  fits: (from: unknown, to: unknown, repetitions: number) => boolean,
  handle: Handler,
): Target =>
  handles(at('updateBackfill', aspect, suppliedValue, 'always'), (request, forward) => {
    const { status } = sentRecord(request)
    const before = statusesBefore(request)
    const repetitions = before.length - 1 - before.findLastIndex((own) => own !== status)
    const isAffected = status !== undefined && fits(before.at(-1) ?? 'null', status, repetitions)
    return isAffected ? handle(request, forward) : forward()
  })

const onTransitions = (handlerOf: (to: string) => Handler): Target[] =>
  transitions.map(([from, to]) =>
    onStatus(`${from}-to-${to}`, (one, other) => one === from && other === to, handlerOf(to)),
  )
const onRepetitions = (handlerOf: (status: string) => Handler): Target[] =>
  [1, 2].flatMap((times) =>
    statuses.map((status) =>
      onStatus(`${status}-${times}`, (_, to, count) => to === status && count === times, handlerOf(status)),
    ),
  )

/** Sends an update without its status, and shows it in the reply. */
const losesStatus: Handler = async (request, forward) => {
  const { status, ...sent } = sentRecord(request)
  const reply = await forward({ body: bodyWith(request, sent) })
  const backfill = recordIn(reply, 'backfill')
  return backfill ? { ...reply, body: { backfill: { ...backfill, status } } } : reply
}
const storesStatus =
  (status: string): Handler =>
  (request, forward) =>
    forward({ body: bodyWith(request, { ...sentRecord(request), status }) })
const refusesStatus: Handler = () => refusal('The status cannot change.')

/** Handles requests for a backfill with each status as its last write. */
const inStatuses = (
  operation: 'updateBackfill' | 'deleteBackfill',
  handle: Handler,
  aspectOf = (status: string) => `when-${status}`,
): Target[] =>
  statuses.map((status) => {
    const stated = operation === 'updateBackfill' ? updatedValues : removedReturned
    return handles(at(operation, aspectOf(status), stated, 'always'), (request, forward) =>
      statusesBefore(request).at(-1) === status ? handle(request, forward) : forward(),
    )
  })

/** Changes of the transitions between the states of a backfill. */
export const transitionOperators = defineOperators({
  'transition-refused': onTransitions(() => refusesStatus),
  'transition-lost': onTransitions(() => losesStatus),
  'transition-replaced': onTransitions((to) => storesStatus(to === 'failed' ? 'cancelled' : 'failed')),
  'repetition-refused': onRepetitions(() => refusesStatus),
  'repetition-toggles': onRepetitions((status) => storesStatus(status === 'initial' ? 'running' : 'initial')),
  'empty-update': Object.entries({
    'resets-status': { status: 'initial' },
    'resets-variables': { variables: {} },
    'resets-name': { name: '' },
  }).map(([aspect, instead]) =>
    requests(at('updateBackfill', aspect, updatedValues, 'always'), (request) =>
      Object.keys(sentRecord(request)).length === 0 ? { body: bodyWith(request, instead) } : undefined,
    ),
  ),
  'unchanged-update-refused': handles(
    at('updateBackfill', 'record', updatedValues, 'always'),
    (request, forward) => {
      const last = succeeded(request, 'updateBackfill').findLast((own) => own.request.path === request.path)
      const isSame = last && JSON.stringify(sentRecord(last.request)) === JSON.stringify(sentRecord(request))
      return isSame ? refusal('Nothing has changed.') : forward()
    },
  ),
  'sibling-follows': statuses.map((status) =>
    handles(at('updateBackfill', `status-${status}`, updatedValues, 'always'), async (request, forward) => {
      const { own, others } = await withOthers(request, forward)
      const reply = await forward()
      const sibling = others.find(
        (other) => other.pipeline_uuid === own?.pipeline_uuid && other.status === own?.status,
      )
      if (sibling && sentRecord(request).status === status && !isErrorReply(reply))
        await updates(forward, request, sibling, { status })
      return reply
    }),
  ),
})

/** Changes that depend on the status of a backfill, or on its dates. */
export const frozenOperators = defineOperators({
  'frozen-in-status': otherAttributes.flatMap((name) =>
    inStatuses(
      'updateBackfill',
      (request, forward) => forward({ body: bodyWith(request, without(sentRecord(request), name)) }),
      (status) => `${name}-when-${status}`,
    ),
  ),
  'refused-in-status': inStatuses('updateBackfill', (request, forward) =>
    'status' in sentRecord(request) ? forward() : refusal('It cannot be changed any more.'),
  ),
  'undeletable-in-status': inStatuses('deleteBackfill', () => refusal('It cannot be deleted.')),
  'dates-in-order': requests(at('updateBackfill', 'end_datetime', updatedValues, 'always'), (request) => {
    const before = earlier(request, 'updateBackfill').filter((own) => own.request.path === request.path)
    const sent = [...before.map((own) => sentRecord(own.request)), sentRecord(request)]
    const { start_datetime: start, end_datetime: end } = Object.assign({}, ...sent)
    const swapped = { ...sentRecord(request), start_datetime: end, end_datetime: start }
    const isReversed = typeof start === 'string' && typeof end === 'string' && end < start
    return isReversed ? { body: bodyWith(request, swapped) } : undefined
  }),
})
