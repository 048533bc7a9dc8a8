import type { OperationId, RuleId } from '../rules/index.ts'
import { equal } from '../runner/replies.ts'
import * as corner from './boundary-values.ts'
import { readAround } from './read-back.ts'
import { isSuccess, type SequenceRun } from './sequence-run.ts'
import { type Side, segment, type TrackedRecord } from './tracked-records.ts'
import { noteRefusal } from './write-commands.ts'

/** Something that is not there: of what kind, how near it comes to what is, and what is asked for besides. */
export interface Nothing {
  readonly what:
    | 'pipeline'
    | 'block'
    | 'delete block'
    | 'create block'
    | 'create backfill'
    | 'update'
    | 'delete'
  /** Which near miss of a uuid or id it is; none: a name like no other. */
  readonly near?: number
  readonly query?: string
}

/** The rules that say which requests for what is not there are errors. */
const unknownRules: Partial<Record<Nothing['what'], RuleId>> = {
  pipeline: 'pipeline-read/unknown',
  block: 'block-read/unknown',
  'delete block': 'block-delete/unknown',
  'create block': 'block-create/unknown-pipeline',
  'create backfill': 'backfill-create/unknown-pipeline',
  update: 'backfill-update/unknown',
}

/** Asks for what is not there; an error is the only answer, whatever is asked for besides. */
export async function askForNothing(
  sequence: SequenceRun,
  pipeline: TrackedRecord,
  { what, near, query = '' }: Nothing,
): Promise<void> {
  const none = `${sequence.prefix}_no_such`.replaceAll('-', '_')
  const [block] = sequence.all('block', pipeline)
  const [backfill] = sequence.all('backfill', pipeline)
  const change = near === undefined ? undefined : corner.nearUuids[near % corner.nearUuids.length]
  const nearly = (tracked: TrackedRecord | undefined, side: Side) => {
    const other = tracked === pipeline ? `${none}_pipeline` : none
    const name = tracked && change ? change(tracked.keys[side]) : other
    // In another letter case some are the same.
    return encodeURIComponent(name === tracked?.keys[side] || /^\s*$/.test(name) ? other : name)
  }
  const nearId = (side: Side) => {
    const wrong = near === undefined ? undefined : corner.nearIds[near % corner.nearIds.length]
    return encodeURIComponent(wrong && backfill ? wrong(backfill.keys[side]) : String(unknownId(sequence)))
  }
  const home = (side: Side) => `/api/pipelines/${segment(pipeline, side)}`
  const elsewhere = (side: Side) => `/api/pipelines/${nearly(pipeline, side)}`
  const ask = async (
    operation: OperationId,
    method: string,
    path: (side: Side) => string,
    body?: unknown,
  ) => {
    const asked = (side: Side) => `${path(side)}${query}`
    const both = await sequence.ask({
      method,
      path: asked,
      ...(body === undefined ? {} : { body: () => body }),
    })
    noteRefusal(sequence, operation, both, unknownRules[what])
  }
  switch (what) {
    case 'pipeline':
      return ask('readPipeline', 'GET', elsewhere)
    case 'block':
      return ask('readBlock', 'GET', (side) => `${home(side)}/blocks/${nearly(block, side)}`)
    case 'delete block':
      return ask('deleteBlock', 'DELETE', (side) => `${home(side)}/blocks/${nearly(block, side)}`)
    case 'create block':
      await ask('createBlock', 'POST', (side) => `${elsewhere(side)}/blocks`, {
        block: { name: 'nothing', type: 'custom' },
      })
      return readAround(sequence, { by: 'createBlock', touched: pipeline, refused: 'refused-unchanged' })
    case 'create backfill':
      return ask('createBackfill', 'POST', (side) => `${elsewhere(side)}/backfills`, {
        backfill: { name: 'nothing' },
      })
    case 'update':
      return ask('updateBackfill', 'PUT', (side) => `${home(side)}/backfills/${nearId(side)}`, {
        backfill: { name: 'nothing' },
      })
    case 'delete':
      return ask('deleteBackfill', 'DELETE', (side) => `/api/backfills/${nearId(side)}`)
  }
}

/** Reads and deletes a block through a pipeline that it is not in. */
export async function askElsewhere(sequence: SequenceRun, pipeline: TrackedRecord): Promise<void> {
  const block = sequence
    .all('block')
    // The latest: none depends on it.
    .findLast(
      ({ home, keys }) =>
        home !== pipeline && sequence.all('block', pipeline).every((own) => own.keys.target !== keys.target),
    )
  if (block === undefined) return
  const path = (side: Side) => `/api/pipelines/${segment(pipeline, side)}/blocks/${segment(block, side)}`
  // Through its own it is there.
  await sequence.context.get(
    `/api/pipelines/${segment(block.home!, 'target')}/blocks/${segment(block, 'target')}`,
  )
  noteRefusal(sequence, 'readBlock', await sequence.ask({ method: 'GET', path }), 'block-read/other-pipeline')
  noteRefusal(sequence, 'deleteBlock', await sequence.ask({ method: 'DELETE', path }))
  await readAround(sequence, { by: 'deleteBlock', touched: block, refused: 'refused-unchanged' })
}

/**
 * Sends writes with bodies that carry no record: what becomes of them is not said, but every reply is one of the API, and
 * what is refused has changed nothing.
 */
export async function sendMalformed(
  sequence: SequenceRun,
  pipeline: TrackedRecord,
  first: number,
): Promise<void> {
  const [backfill] = sequence.all('backfill', pipeline)
  const home = `/api/pipelines/${segment(pipeline, 'target')}`
  const requests: readonly (readonly [operation: OperationId, method: string, path: string])[] = [
    ['createPipeline', 'POST', '/api/pipelines'],
    ['createBlock', 'POST', `${home}/blocks`],
    ['createBackfill', 'POST', `${home}/backfills`],
    ...(backfill
      ? [['updateBackfill', 'PUT', `${home}/backfills/${segment(backfill, 'target')}`] as const]
      : []),
    ['createSession', 'POST', '/api/sessions'],
  ]
  let isTaken = false
  for (const [index, [, method, path]] of requests.entries()) {
    const text = corner.malformedBodies[(first + index) % corner.malformedBodies.length] as string
    const reply = await sequence.send(method, path, { text })
    // Such a record has no name of ours: its pipeline goes, and takes it along.
    isTaken ||= isSuccess(reply) && !equal(reply.body, {})
  }
  if (isTaken) return sequence.forget(pipeline)
  await readAround(sequence, { by: 'updateBackfill', touched: backfill, refused: 'refused-unchanged' })
}

/** An id that no record has: far from small ones, and another in each run, for somebody's may be anywhere. */
export function unknownId({ prefix }: SequenceRun): number {
  const [least, range] = [1_500_000_000, 600_000_000]
  return least + [...prefix].reduce((sum, letter) => (sum * 31 + letter.charCodeAt(0)) % range, 7)
}
