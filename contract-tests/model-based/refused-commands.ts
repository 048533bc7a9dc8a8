// Commands of sequences that send invalid requests, which the target must refuse without an effect.
import type { OperationId } from '../rules/index.ts'
import { factsOf } from '../runner/operation-facts.ts'
import { equal, listIn, type ReceivedRecord } from '../runner/replies.ts'
import * as corner from './boundary-values.ts'
import { type Guarded, guarded } from './guarded.ts'
import {
  type InvalidRequest,
  type MistypedWrite,
  malformedBodies,
  mistypedRecords,
} from './invalid-requests.ts'
import { readAround, readBackfills, readPipeline } from './read-back.ts'
import { isSuccess, type SequenceRun, unless, unlessRefused, unlessSuccess } from './sequence-run.ts'
import { type Side, segment, type TrackedRecord } from './tracked-records.ts'
import { noteRefusal, type Write } from './write.ts'

/** An unknown record: its kind, its similarity to an existing one, and further parameters. */
export interface UnknownRecord {
  readonly what:
    | 'pipeline'
    | 'block'
    | 'delete block'
    | 'create block'
    | 'create backfill'
    | 'update'
    | 'delete'
  /** The number of a text similar to a uuid or id; undefined for a completely different name. */
  readonly near?: number
  readonly query?: string
}

/** A request for an unknown record. */
interface UnknownRequest {
  readonly operation: OperationId
  readonly method: string
  readonly path: (side: Side) => string
  readonly body?: ReceivedRecord
}

/** Returns a request for an unknown record. */
export function unknownRequest(
  sequence: SequenceRun,
  pipeline: TrackedRecord,
  { what, near }: UnknownRecord,
): UnknownRequest {
  const none = `${sequence.prefix}_no_such`.replaceAll('-', '_')
  const [block] = sequence.all('block', pipeline)
  const [backfill] = sequence.all('backfill', pipeline)
  const change = near === undefined ? undefined : corner.nearUuids[near % corner.nearUuids.length]
  const nearly = (tracked: TrackedRecord | undefined, side: Side) => {
    const other = tracked === pipeline ? `${none}_pipeline` : none
    const name = tracked && change ? change(tracked.keys[side]) : other
    // Some are equal in upper case.
    return encodeURIComponent(name === tracked?.keys[side] || /^\s*$/.test(name) ? other : name)
  }
  const nearId = (side: Side) => {
    const wrong = near === undefined ? undefined : corner.nearIds[near % corner.nearIds.length]
    return encodeURIComponent(wrong && backfill ? wrong(backfill.keys[side]) : String(unknownId(sequence)))
  }
  const home = (side: Side) => `/api/pipelines/${segment(pipeline, side)}`
  const elsewhere = (side: Side) => `/api/pipelines/${nearly(pipeline, side)}`
  const unknownBlock = (side: Side) => `${home(side)}/blocks/${nearly(block, side)}`
  const inUnknown = (list: string) => (side: Side) => `${elsewhere(side)}/${list}`
  const updated = (side: Side) => `${home(side)}/backfills/${nearId(side)}`
  const deleted = (side: Side) => `/api/backfills/${nearId(side)}`
  const newBlock = { block: { name: 'nothing', type: 'custom' } }
  const nothing = { backfill: { name: 'nothing' } }
  const requests: Readonly<Record<UnknownRecord['what'], UnknownRequest>> = {
    pipeline: { operation: 'readPipeline', method: 'GET', path: elsewhere },
    block: { operation: 'readBlock', method: 'GET', path: unknownBlock },
    'delete block': { operation: 'deleteBlock', method: 'DELETE', path: unknownBlock },
    'create block': { operation: 'createBlock', method: 'POST', path: inUnknown('blocks'), body: newBlock },
    'create backfill': { operation: 'createBackfill', method: 'POST', path: inUnknown('backfills'), body: nothing },
    update: { operation: 'updateBackfill', method: 'PUT', path: updated, body: nothing },
    delete: { operation: 'deleteBackfill', method: 'DELETE', path: deleted },
  } // biome-ignore format: one request a line
  return requests[what]
}

/** Sends a request for an unknown record, with or without further parameters: the only reply is an error. */
export function requestUnknown(
  sequence: SequenceRun,
  pipeline: TrackedRecord,
  unknownRecord: UnknownRecord,
): Write {
  const { operation, method, path, body } = unknownRequest(sequence, pipeline, unknownRecord)
  const { query = '', near } = unknownRecord
  return {
    request: { method, path: (side) => `${path(side)}${query}`, ...(body && { body: () => body }) },
    finish(both) {
      noteRefusal(sequence, operation, both)
      return operation === 'createBlock'
        ? [{ by: operation, touched: pipeline, refused: 'refused-unchanged' }]
        : []
    },
    async afterwards({ succeeded }) {
      if (succeeded || near !== undefined) return
      await noteStillUnknown(sequence, operation, path('target'))
    },
  }
}

/** Checks that a refused creation in an unknown pipeline has created neither the pipeline nor the record. */
async function noteStillUnknown(sequence: SequenceRun, operation: OperationId, path: string): Promise<void> {
  const uuid = /^\/api\/pipelines\/([^/]+)\/(?:blocks|backfills)$/.exec(path)?.[1]
  if (uuid === undefined) return
  if (operation === 'createBlock') {
    const read = await sequence.get(`/api/pipelines/${uuid}`)
    return sequence.note('create-block/refused-unchanged', read, unlessRefused(read))
  }
  const list = await sequence.get(`/api/backfills?pipeline_uuid=${uuid}`)
  const ids = listIn(list, 'backfills')?.map(({ id }) => String(id)) ?? []
  sequence.note('create-backfill/refused-unchanged', list, unless(ids.length === 0, ids, []))
}

/** Reads and deletes a block through a pipeline that it is not in. */
export async function requestElsewhere(sequence: SequenceRun, pipeline: TrackedRecord): Promise<void> {
  const block = sequence
    .all('block')
    // The latest block, on which no other depends.
    .findLast(
      ({ home, keys }) =>
        home !== pipeline && sequence.all('block', pipeline).every((own) => own.keys.target !== keys.target),
    )
  if (block === undefined) return
  const path = (side: Side) => `/api/pipelines/${segment(pipeline, side)}/blocks/${segment(block, side)}`
  const readThere = () =>
    sequence.context.get(
      `/api/pipelines/${segment(block.home!, 'target')}/blocks/${segment(block, 'target')}`,
    )
  await readThere()
  noteRefusal(sequence, 'readBlock', await sequence.sendToBoth({ method: 'GET', path }))
  const deleted = await sequence.sendToBoth({ method: 'DELETE', path })
  if (deleted.succeeded) {
    // The sequence ends: this is the last chance to read what the deletion must not change.
    const there = await readThere()
    sequence.note('delete-block/unchanged-neighbours', there, unlessSuccess(there))
  }
  noteRefusal(sequence, 'deleteBlock', deleted)
  await readAround(sequence, { by: 'deleteBlock', touched: block, refused: 'refused-unchanged' })
}

/**
 * Sends writes with bodies that contain no record: their effect is not specified, but every reply has the form of the API,
 * and a refused one has changed nothing.
 */
export async function sendMalformed(
  sequence: SequenceRun,
  pipeline: TrackedRecord,
  { first }: { readonly first: number },
): Promise<void> {
  const requests = [
    ...writes.map((operation) => ({
      method: guarded[operation].method,
      path: guarded[operation].path(sequence, pipeline),
      name: factsOf(operation)?.singular ?? '',
    })),
    { method: 'POST', path: '/api/sessions', name: 'session' },
  ]
  let isTaken = false
  for (const [index, { method, path, name }] of requests.entries()) {
    if (path === undefined) continue
    // Sends null and an array to each, and the others in rotation.
    for (const number of first === 0 ? [0, 1, 2 + index] : [2 + ((first + index) % 11)]) {
      const text = malformedBodies[number]?.(name) ?? ''
      const reply = await sequence.send(method, path, { text })
      // Such a record has no name of the run, so the deletion of its pipeline removes it.
      isTaken ||= isSuccess(reply) && !equal(reply.body, {})
    }
  }
  if (isTaken) return sequence.stopTracking(pipeline)
  await readUnchanged(sequence, pipeline)
}

/** Reads what refused requests must not have changed. */
async function readUnchanged(
  sequence: SequenceRun,
  pipeline: TrackedRecord,
  [ofBackfills, ofPipeline]: readonly [OperationId, OperationId] = ['updateBackfill', 'createBlock'],
): Promise<void> {
  const [touched = pipeline] = sequence.all('backfill', pipeline)
  const refused = 'refused-unchanged'
  await readBackfills(sequence, pipeline, { by: ofBackfills, touched, refused })
  await readPipeline(sequence, pipeline, { by: ofPipeline, touched: pipeline, refused })
}

const writes = ['createPipeline', 'createBlock', 'createBackfill', 'updateBackfill'] as const

/**
 * Sends each attribute of a write with values of other JSON types, and all optional ones with null. A target may refuse or
 * convert them: every reply has the form of the API, and a refused request has changed nothing.
 */
export async function sendMistyped(
  sequence: SequenceRun,
  pipeline: TrackedRecord,
  { to }: { readonly to: MistypedWrite },
): Promise<void> {
  // A target that stores such a value may fail on it later.
  if (!sequence.context.provided.allowDestructive) return
  const request: Guarded = guarded[to]
  const path = request.path(sequence, pipeline)
  const singular = factsOf(to)?.singular
  if (path === undefined || singular === undefined) return
  let isTaken = false
  for (const [index, change] of mistypedRecords(to).entries()) {
    const plain = Object.values(request.body?.(sequence) ?? {})[0]
    const named = to === 'updateBackfill' ? {} : { name: `${sequence.prefix}-mistyped-${index}` }
    // A later search could not find a pipeline whose name the target has made up: omits the type, so that the target
    // refuses it.
    const isUnnamed = to === 'createPipeline' && 'name' in change
    const record = isUnnamed ? { name: unknownId(sequence) } : { ...(plain as object), ...named, ...change }
    const reply = await sequence.context.send(request.method, path, { body: { [singular]: record } })
    isTaken ||= isSuccess(reply)
  }
  if (isTaken && to !== 'createPipeline') return sequence.stopTracking(pipeline)
  await readUnchanged(sequence, pipeline, [to, to])
}

/** Sends an invalid request: the invariants check that its reply is an error in the form of the API. */
export async function sendInvalid(
  sequence: SequenceRun,
  pipeline: TrackedRecord,
  { method, path, options = {} }: InvalidRequest,
): Promise<void> {
  const filled = (text: string) =>
    text
      .replaceAll('{pipeline}', segment(pipeline, 'target'))
      .replaceAll('{prefix}', sequence.prefix)
      .replaceAll('{none}', `${sequence.prefix}_no_such`)
      .replaceAll('{id}', String(unknownId(sequence)))
  const text = options.text === undefined ? {} : { text: filled(options.text) }
  await sequence.context.send(method, filled(path), { ...options, ...text })
}

/** Returns an unused id: far from small ones, and different in each run, because other clients may use any id. */
export function unknownId({ prefix }: SequenceRun): number {
  const [least, range] = [1_500_000_000, 600_000_000]
  return least + [...prefix].reduce((sum, letter) => (sum * 31 + letter.charCodeAt(0)) % range, 7)
}
