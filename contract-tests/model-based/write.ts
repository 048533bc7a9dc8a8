import { derivedRule } from '../rules/derived.ts'
import type { OperationId, RuleId } from '../rules/index.ts'
import { isObject } from '../runner/is-object.ts'
import { type ReceivedRecord, recordIn } from '../runner/replies.ts'
import { compareRecords, type Difference } from './compare.ts'
import { type After, readAround } from './read-back.ts'
import {
  type Both,
  type ComparedRequest,
  ModelDiverged,
  type SequenceRun,
  unlessRefused,
  unlessSuccess,
} from './sequence-run.ts'
import { singularOf, type TrackedRecord } from './tracked-records.ts'

/** A write of a sequence: its request, and the handling of the two replies. */
export interface Write {
  readonly request: ComparedRequest
  /** The record that the request names, and the attributes that it sends. */
  readonly touched?: TrackedRecord
  readonly sent?: ReceivedRecord
  /**
   * Compares the replies and tracks the record; returns reads of the effect. `concurrent` are the attributes that other
   * requests write to the same record at the same time.
   */
  finish(both: Both, concurrent: ReadonlySet<string>): readonly After[] | Promise<readonly After[]>
  /** Sends further requests after a single write. */
  afterwards?(both: Both): Promise<void>
}

/** Sends a write, and the reads that show its effect. */
export async function perform(sequence: SequenceRun, write: Write): Promise<void> {
  const both = await sequence.sendToBoth(write.request)
  const shown = await write.finish(both, new Set())
  let diverged: ModelDiverged | undefined
  try {
    await write.afterwards?.(both)
  } catch (error) {
    if (!(error instanceof ModelDiverged)) throw error
    diverged = error
  }
  for (const after of shown) await readAround(sequence, after)
  if (diverged) throw diverged
}

/** Reports whether a target accepts a write. A refusal is a finding, or an implementation choice. */
export function isAccepted(
  sequence: SequenceRun,
  operation: OperationId,
  { body }: ComparedRequest,
  both: Both,
  mayRefuse = false,
): boolean {
  if (both.predicted.isError) {
    if (!both.succeeded) return false
    // The model refuses more than the specification does: the run can compare only the values in the reply.
    noteEcho(sequence, operation, body?.('target'), both)
    throw new ModelDiverged()
  }
  if (both.succeeded) {
    sequence.note(derivedRule(operation, 'accepted'), both.exchange)
    return true
  }
  const sent = firstRecord(body?.('target'))
  if (mayRefuse || isUnusual(sent)) return false
  sequence.note(derivedRule(operation, 'accepted'), both.exchange, unlessSuccess(both.exchange))
  return false
}

/** Values that the specification does not mention: a target may refuse them, alone or beside stored ones. */
export function isUnusual(sent: ReceivedRecord, stored: ReceivedRecord = {}): boolean {
  const { name, interval_units: units } = sent
  const { start_datetime: start, end_datetime: end } = { ...stored, ...sent }
  const isOddName = typeof name === 'string' && !/^\w(?:[\w -]{0,48}\w)?$/.test(name)
  const isOddUnit = typeof units === 'number' && (units < 1 || units > 1_000)
  return isOddName || isOddUnit || (typeof start === 'string' && typeof end === 'string' && end <= start)
}

/** Compares the numbers in a reply with the sent ones. */
function noteEcho(sequence: SequenceRun, operation: OperationId, body: unknown, { exchange }: Both): void {
  const received = firstRecord(exchange.body)
  for (const [attribute, value] of Object.entries(firstRecord(body)))
    if (typeof value === 'number' && received[attribute] !== undefined && received[attribute] !== value)
      sequence.note(derivedRule(operation, 'values'), exchange, {
        received: { [attribute]: received[attribute] },
        expected: { [attribute]: value },
      })
}

function firstRecord(body: unknown): ReceivedRecord {
  return (isObject(body) ? Object.values(body).find(isObject) : undefined) ?? {}
}

/** Checks that the target refuses a request like the model; if not, the sequence ends. */
export function noteRefusal(
  sequence: SequenceRun,
  operation: OperationId,
  { exchange, predicted, succeeded }: Both,
  rule: RuleId | undefined = derivedRule(operation, 'refuses'),
): void {
  if (!predicted.isError) return
  sequence.note(rule, exchange, unlessRefused(exchange))
  if (succeeded) throw new ModelDiverged()
}

/** Compares the record in the reply to a write with the model's. */
export function compareReply(
  sequence: SequenceRun,
  operation: OperationId,
  tracked: TrackedRecord,
  { exchange, predicted }: Both,
  {
    concurrent = new Set(),
    further = [],
  }: {
    /** The attributes that other requests write at the same time. */
    readonly concurrent?: ReadonlySet<string>
    /** Differences that are no relations of attributes. */
    readonly further?: readonly Difference[]
  } = {},
): void {
  const record = recordIn(exchange, singularOf(tracked.kind))
  const expected = predicted.body[singularOf(tracked.kind)]
  if (record === undefined || !isObject(expected)) return
  const compared = compareRecords(operation, tracked, expected, record, sequence)
  const flaws = [...compared.filter(({ attribute }) => !concurrent.has(attribute)), ...further]
  sequence.noteDifferences(derivedRule(operation, 'values'), tracked, flaws, exchange)
}
