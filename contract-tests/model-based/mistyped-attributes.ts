import { factsOf } from '../runner/operation-facts.ts'
import { type Guarded, guarded } from './guarded.ts'
import { readBackfills, readPipeline } from './read-back.ts'
import { unknownId } from './refused-commands.ts'
import { isSuccess, type SequenceRun } from './sequence-run.ts'
import type { TrackedRecord } from './tracked-records.ts'

/** The JSON type of an attribute. */
type JsonType = 'text' | 'integer' | 'object' | 'list'

/** Two values of other JSON types, one of them an object or array where that is possible; attributes of a type take turns. */
const mistyped: Readonly<Record<JsonType, readonly (readonly unknown[])[]>> = {
  text: [
    [7, { text: 'in an object' }],
    [7, ['in an array']],
  ],
  integer: [['many', 1.5, -1]],
  object: [['text', [{ in: 'an array' }]]],
  list: [
    ['text', [7]],
    [{ 0: 'text' }, [null]],
  ],
}

/** The attributes of each write. */
const attributes = {
  createPipeline: { name: 'text', type: 'text' },
  createBlock: {
    name: 'text', type: 'text', color: 'text', content: 'text', language: 'text', uuid: 'text', config: 'object',
    configuration: 'object', upstream_blocks: 'list', pipelines: 'list', priority: 'integer',
  },
  createBackfill: { name: 'text' },
  updateBackfill: {
    name: 'text', status: 'text', interval_type: 'text', start_datetime: 'text', end_datetime: 'text', variables: 'object',
    interval_units: 'integer',
  },
} as const satisfies Readonly<Record<string, Readonly<Record<string, JsonType>>>> // biome-ignore format: a list of attributes

/** A write with attributes of other JSON types. */
export type MistypedWrite = keyof typeof attributes

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
  for (const [index, change] of changesOf(to).entries()) {
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
  const [touched = pipeline] = sequence.all('backfill', pipeline)
  const after = { by: to, touched, refused: 'refused-unchanged' } as const
  await readBackfills(sequence, pipeline, after)
  await readPipeline(sequence, pipeline, after)
}

/** Each attribute with values of other types, and the optional ones of a block with null. */
function changesOf(to: MistypedWrite): Readonly<Record<string, unknown>>[] {
  const counts: Partial<Record<JsonType, number>> = {}
  const changes = Object.entries<JsonType>(attributes[to]).flatMap(([name, type]) => {
    const count = counts[type] ?? 0
    counts[type] = count + 1
    const values = mistyped[type]
    return (values[count % values.length] ?? []).map((value) => ({ [name]: value }))
  })
  if (to !== 'createBlock') return changes
  const { name, type, ...optional } = attributes.createBlock
  return [...changes, Object.fromEntries(Object.keys(optional).map((each) => [each, null]))]
}
