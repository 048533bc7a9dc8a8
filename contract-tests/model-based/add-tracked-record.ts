import type { RuleId } from '../rules/index.ts'
import { isObject } from '../runner/is-object.ts'
import type { ReceivedRecord } from '../runner/replies.ts'
import type { ComparedKind } from './relation.ts'
import { type Both, ModelDiverged, type SequenceRun } from './sequence-run.ts'
import { singularOf, type TrackedRecord, touchHome } from './tracked-records.ts'

interface Creation {
  readonly kind: ComparedKind
  readonly home?: TrackedRecord
  readonly schedule?: TrackedRecord
  readonly target: unknown
  /** The attribute that identifies it in the model's reply, or its key itself. */
  readonly model?: 'id' | 'uuid'
  readonly modelKey?: string
  readonly written: ReceivedRecord
  readonly tokens?: TrackedRecord['tokens']
}

/** The rule about the values of a new record of each kind; that of schedules is not specified. */
const creations = {
  pipeline: 'create-pipeline/values',
  block: 'create-block/values',
  backfill: 'create-backfill/values',
  schedule: 'list-pipeline-schedules/values',
  run: 'trigger-pipeline/values',
} as const satisfies Readonly<Record<ComparedKind, RuleId>>

/** Tracks a record that both sides have created. */
export function add(
  sequence: SequenceRun,
  { exchange, predicted, created }: Both,
  made: Creation,
): TrackedRecord {
  const { kind, home, schedule, target, model, modelKey, written, tokens } = made
  const wrapped = predicted.body[singularOf(kind)]
  const own = modelKey ?? (isObject(wrapped) && model ? String(wrapped[model]) : '')
  const tracked: TrackedRecord = {
    kind,
    keys: { model: own, target: String(target) },
    home,
    schedule,
    created,
    written,
    ...(tokens && { tokens }),
    isGone: false,
    isTouched: false,
    chosen: new Map(),
  }
  const { before, foreignRecords } = sequence.context.provided
  const isForeign =
    kind === 'pipeline'
      ? before.has(tracked.keys.target)
      : kind === 'backfill' && foreignRecords.has(`/api/backfills/${tracked.keys.target}`)
  const existing = sequence.trackedRecords.find(
    (other) =>
      other.kind === kind &&
      other.keys.target === tracked.keys.target &&
      // The specification shows no path of runs: the id of a run may be equal to that of a schedule.
      (kind !== 'block' || other.home === home) &&
      (kind !== 'run' || other.schedule === schedule) &&
      !other.isGone,
  )
  if (isForeign || existing !== undefined) {
    const received = { [model ?? 'uuid']: target }
    const expected = 'another than that of the record before'
    sequence.note(creations[kind], exchange, { received, expected })
    throw new ModelDiverged()
  }
  sequence.trackedRecords.push(tracked)
  touchHome(tracked)
  return tracked
}
