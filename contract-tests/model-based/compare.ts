import type { OperationId } from '../rules/operation-id.ts'
import { isObject } from '../runner/is-object.ts'
import { contains, equal, type ReceivedRecord } from '../runner/replies.ts'
import type { NameForms } from './name-forms.ts'
import { type ChoiceReason, type Related, relationsOf } from './relation.ts'
import { type TargetClock, timeOf } from './target-clock.ts'
import type { TrackedRecord } from './tracked-records.ts'

/** An attribute with an unexpected value. */
export interface Difference {
  readonly attribute: string
  readonly expected: unknown
  readonly received: unknown
}

/** The context of a comparison. */
export interface ComparisonContext {
  readonly clock: TargetClock
  readonly nameForms: NameForms
  /** Records an implementation choice of the target. */
  chose(reason: ChoiceReason, attribute: string, value: unknown): void
  /** The uuid on the target of a block of the model. */
  uuidOf(home: TrackedRecord | undefined, uuid: unknown): unknown
  /** Returns whether the links of a pipeline's blocks are the choice of the target, after a forced deletion. */
  isRelinked(home: TrackedRecord | undefined): boolean
  /** The uuids on the target of the blocks of a pipeline that may be outside its graph. */
  asideIn(home: TrackedRecord | undefined): readonly string[]
  /** The uuids on the target of the deleted blocks of a pipeline. */
  goneFrom(home: TrackedRecord | undefined): readonly string[]
}

/** The statuses that can follow a status without a request. */
const later: Readonly<Record<string, readonly string[]>> = {
  initial: ['running', 'completed', 'failed', 'cancelled'],
  running: ['completed', 'failed', 'cancelled'],
  // A target may try a failed one again.
  failed: ['initial', 'running', 'completed', 'cancelled'],
}

/**
 * Compares a record in a reply of the target with that of the model. An invariant checks that all attributes are
 * present.
 */
export function compareRecords(
  shownBy: OperationId,
  tracked: TrackedRecord,
  model: ReceivedRecord,
  target: ReceivedRecord,
  known: ComparisonContext,
): Difference[] {
  return [...relationsOf(tracked.kind)].flatMap(([attribute, { is, reason }]) => {
    if (is === 'nested' || !Object.hasOwn(target, attribute) || !Object.hasOwn(model, attribute)) return []
    const received = target[attribute]
    const expected = expectedOf(is, attribute, { shownBy, tracked, model, received, known, reason })
    return expected === undefined ? [] : [{ attribute, expected: expected.value, received }]
  })
}

/** The attributes of a record that differ from some values. */
export function differencesFrom(values: ReceivedRecord, record: ReceivedRecord): Difference[] {
  return Object.entries(values)
    .map(([attribute, expected]) => ({ attribute, expected, received: record[attribute] }))
    .filter(({ expected, received }) => !equal(received, expected))
}

interface Context {
  readonly shownBy: OperationId
  readonly tracked: TrackedRecord
  readonly model: ReceivedRecord
  readonly received: unknown
  readonly known: ComparisonContext
  readonly reason: ChoiceReason | undefined
}

/** The expected value; undefined if the relation is as expected. */
function expectedOf(is: Related['is'], attribute: string, context: Context): { value: unknown } | undefined {
  const { shownBy, tracked, model, received, known } = context
  const predicted = model[attribute]
  const unless = (holds: boolean, value: unknown) => (holds ? undefined : { value })
  switch (is) {
    case 'equal':
      return unless(equal(received, predicted), predicted)
    case 'written':
    case 'written if custom':
      return Object.hasOwn(tracked.written, attribute) &&
        (is === 'written' || tracked.written.type === 'custom')
        ? unless(equal(received, predicted), predicted)
        : staysChosen(attribute, context)
    case 'filled':
      return Object.hasOwn(tracked.written, attribute)
        ? flawOfFilled(attribute, context)
        : staysChosen(attribute, context)
    case 'constant':
      return staysChosen(attribute, context)
    case 'name':
      return unless(known.nameForms.fits(tracked, String(predicted), received), predicted)
    case 'key':
      return unless(
        String(received) === tracked.keys.target && typeof received === typeof predicted,
        tracked.keys.target,
      )
    case 'home':
      return unless(
        tracked.home === undefined || received === tracked.home.keys.target,
        tracked.home?.keys.target,
      )
    case 'schedule':
      return unless(String(received) === tracked.schedule?.keys.target, Number(tracked.schedule?.keys.target))
    case 'links':
      return flawOfLinks(attribute, context)
    case 'members':
      return unless(
        Array.isArray(received) &&
          Array.isArray(predicted) &&
          equal(received.toSorted(), predicted.toSorted()),
        predicted,
      )
    case 'lines':
      // A block without content is empty: "" or null.
      return unless(equal(withNewlines(received ?? ''), withNewlines(predicted ?? '')), predicted)
    case 'datetime':
      return unless(
        received === predicted ||
          (received !== null && predicted !== null && known.clock.isSameDate(received, predicted)),
        typeof predicted === 'string' ? predicted.slice(0, 19) : predicted,
      )
    case 'created':
      return (
        unless(
          known.clock.fits(received, tracked.created.sent, tracked.created.received),
          'the time when it was created',
        ) ?? staysTimestamp(attribute, context)
      )
    case 'changed':
      return isLifeless(context) && predicted === null
        ? unless(received === null, null)
        : (unless(
            received === null ||
              (known.clock.isNotBefore(received, tracked.chosen.get('created_at')) &&
                known.clock.hasPassed(received, Date.now())),
            'a time between its creation and now',
          ) ??
            // A record with runs or blocks changes without a request.
            (tracked.kind === 'backfill' && isLifeless(context)
              ? staysTimestamp(attribute, context)
              : undefined))
    case 'life':
      return isLifeless(context)
        ? unless(received === null, null)
        : unless(received === null || timeOf(received) !== undefined, 'null, or a time')
    case 'status': {
      // A target may start a backfill with dates (`backfill-life`).
      const from = predicted === null && isPlanned(model) ? 'initial' : String(predicted)
      // The specification mentions null for the reply to the creation alone.
      const isInitial = from === 'initial' || (predicted === null && shownBy !== 'createBackfill')
      const may = [predicted, ...(isInitial ? ['initial'] : []), ...(later[from] ?? [])]
      return unless(may.includes(received), predicted)
    }
    default:
      return undefined
  }
}

/** The expected links of a block; undefined if they are as expected. */
function flawOfLinks(
  attribute: string,
  { shownBy, tracked, model, received, known }: Context,
): { value: unknown } | undefined {
  // Links after a forced deletion are not specified (`force-effect`).
  if (known.isRelinked(tracked.home) && Array.isArray(received)) return undefined
  const aside = known.asideIn(tracked.home)
  // Callbacks, conditionals and charts have separate lists, and may be no part of the graph (`callback-lists`).
  if (aside.includes(tracked.keys.target)) return undefined
  const predicted = model[attribute]
  const uuids = (Array.isArray(predicted) ? predicted : []).map((uuid) => known.uuidOf(tracked.home, uuid))
  // Without sent links, null is the choice of the target (`create-block-nulls`).
  if (shownBy === 'createBlock' && received === null && uuids.length === 0) return undefined
  if (!Array.isArray(received)) return { value: uuids }
  // A deletion may remove the links first, on either side (`force-effect`).
  if (tracked.isGone && received.length === 0) return undefined
  const gone = [...known.goneFrom(tracked.home), ...aside]
  const remaining = (list: readonly unknown[]) =>
    list.filter((uuid) => !gone.includes(String(uuid))).toSorted()
  return equal(remaining(received), remaining(uuids)) ? undefined : { value: uuids }
}

/** The expected value of an object with sent members and members of the target. */
function flawOfFilled(attribute: string, context: Context): { value: unknown } | undefined {
  const predicted = context.model[attribute]
  const { received } = context
  if (!isObject(predicted) || !isObject(received))
    return equal(received, predicted) ? undefined : { value: predicted }
  if (!contains(received, predicted)) return { value: predicted }
  const added = Object.fromEntries(
    Object.entries(received).filter(([name]) => !Object.hasOwn(predicted, name)),
  )
  const flaw = staysChosen(`${attribute} added`, { ...context, received: added })
  return flaw && { value: { ...(flaw.value as ReceivedRecord), ...predicted } }
}

/** "Newlines written as `/n`": a target may store and show either form, and any other form of a newline. */
function withNewlines(text: unknown): unknown {
  return typeof text === 'string' ? text.replaceAll(/\r(?:\n|\/n)?|\/n/g, '\n') : text
}

/**
 * Compares the choice of an operation with its first choice. A presenter decides by action, so that another operation may
 * choose another value.
 */
function staysChosen(
  attribute: string,
  { shownBy, tracked, received, known, reason }: Context,
): { value: unknown } | undefined {
  const choice = `${shownBy} ${attribute}`
  if (!tracked.chosen.has(choice)) {
    tracked.chosen.set(choice, received)
    if (reason !== undefined) known.chose(reason, attribute, received)
    return undefined
  }
  const chosen = tracked.chosen.get(choice)
  return equal(chosen, received) ? undefined : { value: chosen }
}

/** The same for a time in either form. */
function staysTimestamp(
  attribute: string,
  { tracked, received, known }: Context,
): { value: unknown } | undefined {
  const chosen = tracked.chosen.get(attribute)
  if (chosen === undefined) tracked.chosen.set(attribute, received)
  const isSame = chosen === undefined || known.clock.isSame(chosen, received)
  return isSame ? undefined : { value: chosen }
}

function isLifeless({ tracked, model }: Context): boolean {
  if (tracked.kind === 'pipeline') return !tracked.isTouched
  // A target may start a backfill with dates (`backfill-life`).
  return (
    !Object.hasOwn(tracked.written, 'status') &&
    (model.status ?? null) === null &&
    !isPlanned(model) &&
    tracked.kind === 'backfill'
  )
}

function isPlanned({ start_datetime: start, end_datetime: end }: ReceivedRecord): boolean {
  return start !== null && end !== null
}

/**
 * The blocks in all lists of a pipeline. "`blocks` | array" shows no form of an element: it may be a block, or only its uuid.
 * Undefined if `blocks` has an element of another form.
 */
export function carriedBlocks(pipeline: ReceivedRecord | undefined): ReceivedRecord[] | undefined {
  const [blocks = [], ...others] = ['blocks', 'callbacks', 'conditionals', 'widgets'].map((list) => {
    const elements: unknown = pipeline?.[list]
    if (!Array.isArray(elements)) return []
    return elements.map((block: unknown) => (typeof block === 'string' ? { uuid: block } : block))
  })
  return blocks.every(isNamed) ? [...blocks, ...others.flat().filter(isNamed)] : undefined
}

function isNamed(block: unknown): block is ReceivedRecord {
  return isObject(block) && typeof block.uuid === 'string'
}
