import type { OperationId } from '../../rules/index.ts'
import { isObject } from '../is-object.ts'
import type { ReceivedRecord } from '../replies.ts'
import type { ComparedKind } from './relation.ts'
import { type Both, Lost, type Story } from './story.ts'
import type { Thing } from './things.ts'

interface Born {
  readonly kind: ComparedKind
  readonly home?: Thing
  readonly schedule?: Thing
  readonly target: unknown
  /** The attribute that identifies it in the model's reply, or its key itself. */
  readonly model?: 'id' | 'uuid'
  readonly modelKey?: string
  readonly written: ReceivedRecord
  readonly tokens?: Thing['tokens']
}

/** What makes a record of each kind; that of schedules is not shown. */
const creations = {
  pipeline: 'createPipeline',
  block: 'createBlock',
  backfill: 'createBackfill',
  schedule: 'listPipelineSchedules',
  run: 'triggerPipeline',
} as const satisfies Readonly<Record<ComparedKind, OperationId>>

/** Takes a record up that both have made. */
export function add(story: Story, { exchange, predicted, born }: Both, made: Born): Thing {
  const { kind, home, schedule, target, model, modelKey, written, tokens } = made
  const wrapped = predicted.body[kind === 'schedule' ? 'pipeline_schedule' : kind]
  const own = modelKey ?? (isObject(wrapped) && model ? String(wrapped[model]) : '')
  const thing: Thing = {
    kind,
    keys: { model: own, target: String(target) },
    home,
    schedule,
    born,
    written,
    ...(tokens && { tokens }),
    isGone: false,
    isTouched: false,
    chosen: new Map(),
  }
  const twin = story.things.find(
    (other) =>
      other.kind === kind &&
      other.keys.target === thing.keys.target &&
      (kind !== 'block' || other.home === home) &&
      !other.isGone,
  )
  if (twin !== undefined) {
    story.note(creations[kind], 'values', exchange, {
      received: { [model ?? 'uuid']: target },
      expected: 'another than that of the record before',
    })
    throw new Lost()
  }
  story.things.push(thing)
  return thing
}
