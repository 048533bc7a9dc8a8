import type { RuleId } from '../rules/index.ts'
import { type Exchange, TransportError } from '../runner/client.ts'
import { ForeignWrite } from '../runner/foreign-records.ts'
import type { InvariantCheck } from '../runner/invariants/invariant-check.ts'
import { isObject } from '../runner/is-object.ts'
import { PageSizes } from '../runner/page-sizes.ts'
import { requestScope } from '../runner/request-scope.ts'
import type { RunContext } from '../runner/run-context.ts'
import { type Command, runCommand } from './commands.ts'
import { generateSequences } from './generate.ts'
import { NameForms } from './name-forms.ts'
import { type ScriptedSequence, scriptedSequences } from './scripted-sequences.ts'
import type { GroupName } from './sequence-groups.ts'
import { ModelDiverged, type RuleObservation, SequenceRun } from './sequence-run.ts'
import { TargetClock } from './target-clock.ts'

/** Defaults of the options with these names. */
export const defaults = { sequences: 2, seed: 1, concurrency: 4 }
/** Maximum number of consecutive sequences without a reply. */
const maxUnanswered = 3

/** Runs the scripted sequences of a group, and with `sequences` the generated ones until their number or the time is reached. */
export async function runSequences(context: RunContext, group: GroupName): Promise<void> {
  const { sequences, seed, until, concurrency, useConventions } = context.provided
  const scripted = scriptedSequences(seed).filter(
    (sequence) => sequence.group === group && (useConventions || !sequence.needsConventions),
  )
  const wanted = sequences ?? (until === undefined ? defaults.sequences : undefined)
  const waiting = sequencesToRun(context, scripted, group === 'sequences' ? wanted : 0)
  const runner = new SequenceRunner(context, group)
  // Each sequence has separate pipelines, so several run concurrently. An error in one ends the run of all.
  const run = async (commands: readonly Command[], options?: SequenceOptions) => {
    await runner.check(commands, options)
    context.sequenceProgress.ended++
  }
  const runOneByOne = async () => {
    for (const commands of waiting) await run(commands)
  }
  const lanes = await Promise.allSettled(Array.from({ length: concurrency }, runOneByOne))
  // The clean-up waits until no sequence sends requests: it must delete every record.
  for (const lane of lanes) if (lane.status === 'rejected') throw lane.reason
  for (const sequence of scripted) if (sequence.isAlone) await run(sequence.commands, sequence)
}

/** Options of a single sequence. */
type SequenceOptions = Pick<ScriptedSequence, 'isAlone' | 'isHarmful' | 'isStored'>

/** Returns the scripted sequences that run beside others, then generated ones until their number or the time is up. */
function* sequencesToRun(
  context: RunContext,
  scripted: readonly ScriptedSequence[],
  most: number | undefined,
): Generator<readonly Command[]> {
  const { sequenceProgress: progress, provided } = context
  progress.ended = 0
  progress.of = most === undefined ? undefined : scripted.length + most
  for (const { commands, isAlone } of scripted) if (!isAlone) yield commands
  if (most === 0) return
  for (const commands of generateSequences(provided.seed)) {
    // At least one sequence, however short the time.
    const isLate = progress.drawn > 0 && performance.now() >= (provided.until ?? Number.POSITIVE_INFINITY)
    if (progress.drawn === most || isLate) return
    progress.drawn++
    yield commands
  }
}

/** Returns whether two deviations are of the same attribute. */
function isAlike(one: RuleObservation, other: RuleObservation): boolean {
  const names = ({ received }: RuleObservation) =>
    isObject(received) ? Object.keys(received).join() : undefined
  return names(one) !== undefined && names(one) === names(other)
}

/** The observations of one run of a sequence. */
interface SequenceResult {
  readonly passed: ReadonlyMap<RuleId, Exchange>
  readonly deviations: ReadonlyMap<string, RuleObservation>
  /** The request without a reply. */
  readonly unanswered?: TransportError | undefined
  /** The error of a reply that the sequence could not follow. Observations before it remain valid. */
  readonly failed?: { readonly error: unknown } | undefined
}

class SequenceRunner {
  readonly #context: RunContext
  readonly #learnt = { clock: new TargetClock(), nameForms: new NameForms(), pageSizes: new PageSizes() }
  /** Prefix that separates the names of one group's sequences from those of another. */
  readonly #letters: string
  #count = 0
  #unanswered = 0

  constructor(context: RunContext, group: GroupName) {
    this.#context = context
    this.#letters = group.slice(0, 2)
  }

  /**
   * Runs a sequence. If a rule fails or a reply is missing, the sequence runs again from scratch before the run reports it,
   * and a third time if the failure does not recur.
   */
  async check(commands: readonly Command[], options: SequenceOptions = {}): Promise<void> {
    const result = await this.#run(commands, options)
    await this.#confirm(commands, result, options)
    if (result.failed !== undefined) throw result.failed.error
  }

  async #confirm(
    commands: readonly Command[],
    { passed, deviations, unanswered }: SequenceResult,
    options: SequenceOptions,
  ): Promise<void> {
    for (const [id, exchange] of passed) this.#context.verdicts.check(id, true, exchange)
    if (!this.#isConfirmed(options)) {
      this.#reportAll(deviations)
      if (options.isHarmful && unanswered !== undefined) this.#context.verdicts.unanswered(unanswered)
      return
    }
    const found = [...deviations].filter(([key]) => !this.#context.reported.has(key))
    if (found.length === 0 && unanswered === undefined) return
    const again = await this.#run(commands, options)
    if (unanswered !== undefined && again.unanswered !== undefined)
      this.#context.verdicts.unanswered(again.unanswered)
    let third: readonly SequenceResult[] | undefined
    // The same deviation, or one of the same rule that the first run did not show: its form may differ each time.
    const matching = (result: SequenceResult, key: string, { rule }: RuleObservation) =>
      result.deviations.get(key) ??
      [...result.deviations].find(
        ([other, deviation]) =>
          deviation.rule === rule && !deviations.has(other) && !this.#context.reported.has(other),
      )?.[1]
    for (const [key, first] of found) {
      const second = matching(again, key, first)
      if (second !== undefined) {
        this.#report(key, second)
        continue
      }
      // The second run may observe the same deviation earlier, under another rule.
      if ([...again.deviations.values()].some((deviation) => isAlike(deviation, first))) {
        this.#report(key, first)
        continue
      }
      // A last run finds occasional failures; two concurrent copies find those that need concurrency.
      third ??= await this.#runCopies(commands, options)
      const last = third.map((result) => matching(result, key, first)).find((each) => each !== undefined)
      if (last !== undefined) this.#report(key, last)
      else this.#context.verdicts.flaky(first.rule, first)
    }
  }

  /** Returns whether a sequence must run again to confirm its deviations. */
  #isConfirmed({ isHarmful }: SequenceOptions): boolean {
    return this.#context.provided.confirm && !isHarmful
  }

  #reportAll(deviations: SequenceResult['deviations']): void {
    for (const [key, deviation] of deviations)
      if (!this.#context.reported.has(key)) this.#report(key, deviation)
  }

  #report(key: string, { rule, exchange, received, expected, described }: RuleObservation): void {
    this.#context.reported.add(key)
    this.#context.verdicts.check(rule, false, exchange, received, {
      ...(expected !== undefined && { expected }),
      ...(described !== undefined && { described }),
    })
  }

  async #runCopies(
    commands: readonly Command[],
    options: SequenceOptions,
  ): Promise<readonly SequenceResult[]> {
    const copies = options.isAlone || this.#context.provided.concurrency === 1 ? 1 : 2
    const lanes = await Promise.allSettled(Array.from({ length: copies }, () => this.#run(commands, options)))
    // The clean-up waits until no sequence sends requests: it must delete every record.
    return lanes.map((lane) => {
      if (lane.status === 'rejected') throw lane.reason
      return lane.value
    })
  }

  /** Runs a sequence from scratch, and deletes what it has created, unless a later one reads it. */
  async #run(commands: readonly Command[], options: SequenceOptions): Promise<SequenceResult> {
    const { isStored, isHarmful } = options
    this.#count++
    const prefix = `${this.#context.prefix}${this.#letters}${this.#count}`
    // A repeated sequence writes its requests in the same forms, and another sequence in others.
    const sequence = new SequenceRun(this.#context, this.#learnt, prefix, commands.length)
    // A second run confirms failed invariants, too.
    const check: InvariantCheck = (id, holds, exchange, ...found) => {
      const [received, details] = found.length > 0 ? found : [exchange.body ?? exchange.text]
      if (holds) this.#context.verdicts.check(id, true, exchange)
      else sequence.note(id, exchange, { received, expected: undefined, ...details })
    }
    // The clean-up belongs to the sequence: a second run confirms its replies with those before.
    const run = async () => {
      const all = isStored || isHarmful ? commands : [...commands, { do: 'delete the rest' } as const]
      const result = await this.#runCommands(sequence, all, options)
      if (!isStored) await this.#context.cleanUp(sequence.prefix)
      return result
    }
    return this.#context.provided.confirm ? requestScope.run(check, run) : run()
  }

  async #runCommands(
    sequence: SequenceRun,
    commands: readonly Command[],
    options: SequenceOptions,
  ): Promise<SequenceResult> {
    let unanswered: TransportError | undefined
    let failed: SequenceResult['failed']
    try {
      for (const command of commands) {
        this.#context.sequenceProgress.doing = command.do
        await runCommand(sequence, command)
        // With `bail`, this ends the run.
        if (!this.#isConfirmed(options)) this.#reportAll(sequence.deviations)
      }
      this.#unanswered = 0
    } catch (error) {
      // A missing reply ends a sequence; several in a row end all sequences.
      if (error instanceof TransportError) {
        if (++this.#unanswered > maxUnanswered) throw error
        unanswered = error
      } else if (error instanceof TypeError) failed = { error }
      else if (!(error instanceof ModelDiverged || error instanceof ForeignWrite)) throw error
    }
    return { passed: sequence.passed, deviations: sequence.deviations, unanswered, failed }
  }
}
