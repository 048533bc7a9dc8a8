import type { RuleId } from '../rules/index.ts'
import { TransportError } from '../runner/client.ts'
import type { InvariantCheck } from '../runner/invariants/invariant-check.ts'
import { isObject } from '../runner/is-object.ts'
import { PageSizes } from '../runner/page-sizes.ts'
import { requestScope } from '../runner/request-scope.ts'
import type { ScenarioContext } from '../runner/scenario-context.ts'
import { type Command, take } from './commands.ts'
import { generateSequences } from './generate.ts'
import { type ScriptedSequence, scriptedSequences } from './scripted-sequences.ts'
import type { GroupName } from './sequence-groups.ts'
import { ModelDiverged, type RuleObservation, SequenceRun } from './sequence-run.ts'
import { TargetClock } from './target-clock.ts'

/** How many sequences are drawn where nobody says otherwise, and from which seed. */
export const defaults = { sequences: 3, seed: 1, concurrency: 4 }
/** How often a failing sequence is told again to make it shorter, and how many sequences are shortened at most. */
const maxMinimizeAttempts = 16
const maxMinimized = 3
/** How many sequences in a row may end because a reply never came. */
const maxUnanswered = 3

/** Runs the scripted sequences of a group, and with `sequences` the generated ones until there are enough or time is up. */
export async function runSequences(context: ScenarioContext, group: GroupName): Promise<void> {
  const { sequences, seed, until, concurrency } = context.provided
  const scripted = scriptedSequences(seed).filter((sequence) => sequence.group === group)
  const wanted = sequences ?? (until === undefined ? defaults.sequences : undefined)
  const waiting = sequencesToRun(context, scripted, group === 'sequences' ? wanted : 0)
  const runner = new SequenceRunner(context, group)
  // Each sequence has pipelines of its own, so several are told side by side; one that fails ends the telling for all.
  const tell = async (commands: readonly Command[], options?: SequenceOptions) => {
    await runner.check(commands, options)
    context.sequenceProgress.ended++
  }
  const tellOneByOne = async () => {
    for (const commands of waiting) await tell(commands)
  }
  const lanes = await Promise.allSettled(Array.from({ length: concurrency }, tellOneByOne))
  // Only once nobody sends any more: what is made must still be deleted.
  for (const lane of lanes) if (lane.status === 'rejected') throw lane.reason
  for (const sequence of scripted) if (sequence.isAlone) await tell(sequence.commands, sequence)
}

/** How a sequence runs and is confirmed. */
type SequenceOptions = Pick<ScriptedSequence, 'isAlone' | 'isHarmful'>

/** Returns the scripted sequences that run beside others, and as many generated ones as are wanted while there is time. */
function* sequencesToRun(
  context: ScenarioContext,
  scripted: readonly ScriptedSequence[],
  most: number | undefined,
): Generator<readonly Command[]> {
  const { sequenceProgress: progress, provided } = context
  progress.of = most === undefined ? undefined : scripted.length + most
  for (const { commands, isAlone } of scripted) if (!isAlone) yield commands
  if (most === 0) return
  for (const commands of generateSequences(provided.seed)) {
    // One is always drawn: nobody asks for none by a time that is short.
    const isLate = progress.drawn > 0 && performance.now() >= (provided.until ?? Number.POSITIVE_INFINITY)
    if (progress.drawn === most || isLate) return
    progress.drawn++
    yield commands
  }
}

/** Tells whether two notes are of the same attribute. */
function isAlike(one: RuleObservation, other: RuleObservation): boolean {
  const names = ({ received }: RuleObservation) =>
    isObject(received) ? Object.keys(received).join() : undefined
  return !one.holds && names(one) !== undefined && names(one) === names(other)
}

/** What a sequence has said, once it was told. */
interface SequenceResult {
  readonly notes: ReadonlyMap<RuleId, RuleObservation>
  /** After how many steps each rule was found broken. */
  readonly brokenAfter: ReadonlyMap<RuleId, number>
  /** Where a reply never came. */
  readonly unanswered?: TransportError | undefined
  /** Where a reply could not be followed: what was seen before holds all the same. */
  readonly failed?: { readonly error: unknown } | undefined
}

class SequenceRunner {
  readonly #context: ScenarioContext
  readonly #learnt = { clock: new TargetClock(), pageSizes: new PageSizes() }
  readonly #broken = new Set<RuleId>()
  /** Tells the names of one group's sequences from those of another. */
  readonly #letters: string
  #count = 0
  #shortened = 0
  #unanswered = 0

  constructor(context: ScenarioContext, group: GroupName) {
    this.#context = context
    this.#letters = group.slice(0, 2)
  }

  /**
   * Tells a sequence; what it finds broken, or unanswered, is told once more from scratch before it is said, and a third time
   * where it was not seen again.
   */
  async check(commands: readonly Command[], options: SequenceOptions = {}): Promise<void> {
    const told = await this.#tell(commands)
    await this.#believe(commands, told, options)
    if (told.failed !== undefined) throw told.failed.error
  }

  async #believe(
    commands: readonly Command[],
    { notes, brokenAfter, unanswered }: SequenceResult,
    { isAlone = false, isHarmful = false }: SequenceOptions,
  ): Promise<void> {
    for (const [id, { holds, exchange }] of notes) if (holds) this.#context.verdicts.check(id, true, exchange)
    const found = [...notes].filter(([id, { holds }]) => !holds && !this.#broken.has(id))
    if (found.length === 0 && unanswered === undefined) return
    if (isHarmful || this.#context.provided.isOneSightEnough) {
      for (const [id, note] of found) this.#say(id, note)
      return
    }
    const again = await this.#tell(commands)
    if (unanswered !== undefined && again.unanswered !== undefined)
      this.#context.verdicts.unanswered(again.unanswered)
    let third: readonly SequenceResult[] | undefined
    for (const [id, first] of found) {
      const second = again.notes.get(id)
      if (second?.holds === false) {
        const start = commands.slice(0, Math.max(brokenAfter.get(id) ?? 0, again.brokenAfter.get(id) ?? 0))
        this.#say(id, (await this.#shorten(start, id)) ?? second)
        continue
      }
      // The same may be seen earlier the second time, and is then told of another rule.
      if ([...again.notes.values()].some((note) => isAlike(note, first))) {
        this.#say(id, first)
        continue
      }
      // What goes wrong now and then is told from what went wrong once by a last try, and what goes wrong in company by
      // telling the sequence to the target twice at once.
      third ??= await this.#tellInCompany(commands, isAlone)
      const last = third.map((told) => told.notes.get(id)).find((note) => note?.holds === false)
      if (last !== undefined) this.#say(id, last)
      else this.#context.verdicts.flaky(id, first)
    }
  }

  #say(id: RuleId, { exchange, received, expected, described, steps }: RuleObservation): void {
    this.#broken.add(id)
    this.#context.verdicts.check(id, false, exchange, received, {
      ...(expected !== undefined && { expected }),
      ...(described !== undefined && { described }),
      steps,
    })
  }

  async #tellInCompany(commands: readonly Command[], isAlone: boolean): Promise<readonly SequenceResult[]> {
    const copies = isAlone || this.#context.provided.concurrency === 1 ? 1 : 2
    const lanes = await Promise.allSettled(Array.from({ length: copies }, () => this.#tell(commands)))
    // Only once nobody sends any more: what is made must still be deleted.
    return lanes.map((lane) => {
      if (lane.status === 'rejected') throw lane.reason
      return lane.value
    })
  }

  /** Tells a sequence from scratch, and deletes what it has made: a run of any length leaves no more than one sequence. */
  async #tell(commands: readonly Command[]): Promise<SequenceResult> {
    this.#count++
    const prefix = `${this.#context.prefix}${this.#letters}${this.#count}`
    // Told again it is written in the same ways, and another sequence in others.
    const sequence = new SequenceRun(this.#context, this.#learnt, prefix, commands.length)
    // What the invariants say of its exchanges is confirmed as everything else is.
    const check: InvariantCheck = (id, holds, exchange, ...found) => {
      const [received, details] = found.length > 0 ? found : [exchange.body ?? exchange.text]
      if (holds) this.#context.verdicts.check(id, true, exchange)
      else sequence.noteRule(id, exchange, { received, expected: undefined, ...details })
    }
    if (this.#context.provided.isOneSightEnough) return this.#tellAs(sequence, commands)
    return requestScope.run(check, () => this.#tellAs(sequence, commands))
  }

  async #tellAs(sequence: SequenceRun, commands: readonly Command[]): Promise<SequenceResult> {
    const brokenAfter = new Map<RuleId, number>()
    let unanswered: TransportError | undefined
    let failed: SequenceResult['failed']
    try {
      for (const [index, command] of commands.entries()) {
        this.#context.sequenceProgress.doing = command.do
        await take(sequence, command)
        for (const [id, { holds }] of sequence.notes)
          if (!holds && !brokenAfter.has(id)) brokenAfter.set(id, index + 1)
      }
      this.#unanswered = 0
    } catch (error) {
      // A reply that never came ends a sequence; several in a row end them all.
      if (error instanceof TransportError) {
        if (++this.#unanswered > maxUnanswered) throw error
        unanswered = error
      } else if (error instanceof TypeError) failed = { error }
      else if (!(error instanceof ModelDiverged)) throw error
      for (const [id, { holds }] of sequence.notes)
        if (!holds && !brokenAfter.has(id)) brokenAfter.set(id, commands.length)
    }
    await this.#context.cleanUp(sequence.prefix)
    return { notes: sequence.notes, brokenAfter, unanswered, failed }
  }

  /** Looks for the shortest sequence that still finds a rule broken: no step of it can be left out. */
  async #shorten(commands: readonly Command[], id: RuleId): Promise<RuleObservation | undefined> {
    if (!this.#context.provided.shrink || this.#shortened >= maxMinimized) return undefined
    this.#shortened++
    let shortest = commands
    let note: RuleObservation | undefined
    let left = maxMinimizeAttempts
    const fails = async (shorter: readonly Command[]) => {
      left--
      const { notes, brokenAfter } = await this.#tell(shorter)
      const found = notes.get(id)
      if (found?.holds !== false) return
      // Of what is shorter, what follows the deviation is left out as well.
      shortest = shorter.slice(0, brokenAfter.get(id))
      note = found
    }
    // Large parts first; single steps until none can go.
    for (let size = Math.ceil(shortest.length / 2); size >= 1 && left > 0; ) {
      const before = shortest.length
      for (let end = shortest.length; end > 0 && left > 0; end -= size) {
        const start = Math.max(0, Math.min(end, shortest.length) - size)
        if (shortest.length > size) await fails(shortest.toSpliced(start, size))
      }
      if (size > 1) size = Math.floor(size / 2)
      else if (shortest.length === before) break
    }
    return note
  }
}
