import type { RuleId } from '../../rules/index.ts'
import { asker } from '../asker.ts'
import { TransportError } from '../client.ts'
import { isObject } from '../is-object.ts'
import type { LawCheck } from '../laws/laws.ts'
import { PageSizes } from '../page-sizes.ts'
import type { Stage } from '../stage.ts'
import { type Command, take } from './commands.ts'
import { drawStories } from './draw.ts'
import { Lost, Story, type StoryNote } from './story.ts'
import { TargetClock } from './target-clock.ts'
import { type Tour, toursOf } from './tours.ts'

/** How many stories are drawn where nobody says otherwise, and from which seed. */
export const defaults = { stories: 3, seed: 1, concurrency: 4 }
/** How often a failing story is told again to make it shorter, and how many stories are shortened at most. */
const mostShorter = 16
const mostShortened = 3
/** How many stories in a row may end because a reply never came. */
const mostUnanswered = 3

/** Tells the tours and the drawn stories, until there are enough or the time is over, and judges what they say. */
export async function playStories(stage: Stage): Promise<void> {
  const { stories, seed, until, concurrency } = stage.provided
  if (stories === 0) return
  const tours = toursOf(seed)
  const waiting = storiesToTell(stage, tours, stories ?? (until === undefined ? defaults.stories : undefined))
  const teller = new Teller(stage)
  // Each story has pipelines of its own, so several are told side by side; one that fails ends the telling for all.
  const tell = async (commands: readonly Command[]) => {
    await teller.judge(commands)
    stage.told.ended++
  }
  const tellOneByOne = async () => {
    for (const commands of waiting) await tell(commands)
  }
  const lanes = await Promise.allSettled(Array.from({ length: concurrency }, tellOneByOne))
  // Only once nobody sends any more: what is made must still be deleted.
  for (const lane of lanes) if (lane.status === 'rejected') throw lane.reason
  for (const { commands, isAlone } of tours) if (isAlone) await tell(commands)
}

/** The tours that are told beside others, and as many drawn stories as are wanted, as long as there is time. */
function* storiesToTell(
  stage: Stage,
  tours: readonly Tour[],
  most: number | undefined,
): Generator<readonly Command[]> {
  const { told, provided } = stage
  told.of = most === undefined ? undefined : tours.length + most
  for (const { commands, isAlone } of tours) if (!isAlone) yield commands
  for (const commands of drawStories(provided.seed)) {
    // One is always drawn: nobody asks for none by a time that is short.
    const isLate = told.drawn > 0 && performance.now() >= (provided.until ?? Number.POSITIVE_INFINITY)
    if (told.drawn === most || isLate) return
    told.drawn++
    yield commands
  }
}

/** Tells whether two notes are of the same attribute. */
function isAlike(one: StoryNote, other: StoryNote): boolean {
  const names = ({ received }: StoryNote) => (isObject(received) ? Object.keys(received).join() : undefined)
  return !one.holds && names(one) !== undefined && names(one) === names(other)
}

/** What a story has said, once it was told. */
interface StoryResult {
  readonly notes: ReadonlyMap<RuleId, StoryNote>
  /** After how many steps each rule was found broken. */
  readonly brokenAfter: ReadonlyMap<RuleId, number>
  /** Where a reply never came. */
  readonly unanswered?: TransportError | undefined
  /** Where a reply could not be followed: what was seen before holds all the same. */
  readonly failed?: { readonly error: unknown } | undefined
}

class Teller {
  readonly #stage: Stage
  readonly #learnt = { clock: new TargetClock(), pageSizes: new PageSizes() }
  readonly #broken = new Set<RuleId>()
  #count = 0
  #shortened = 0
  #unanswered = 0

  constructor(stage: Stage) {
    this.#stage = stage
  }

  /**
   * Tells a story; what it finds broken, or unanswered, is told once more from scratch before it is said, and a third time
   * where it was not seen again.
   */
  async judge(commands: readonly Command[]): Promise<void> {
    const told = await this.#tell(commands)
    await this.#believe(commands, told)
    if (told.failed !== undefined) throw told.failed.error
  }

  async #believe(
    commands: readonly Command[],
    { notes, brokenAfter, unanswered }: StoryResult,
  ): Promise<void> {
    for (const [id, { holds, exchange }] of notes) if (holds) this.#stage.check(id, true, exchange)
    const found = [...notes].filter(([id, { holds }]) => !holds && !this.#broken.has(id))
    if (found.length === 0 && unanswered === undefined) return
    const again = await this.#tell(commands)
    if (unanswered !== undefined && again.unanswered !== undefined)
      this.#stage.verdicts.unanswered(again.unanswered)
    let third: readonly StoryResult[] | undefined
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
      // telling the story to the target twice at once.
      third ??= await this.#tellInCompany(commands)
      const last = third.map((told) => told.notes.get(id)).find((note) => note?.holds === false)
      if (last !== undefined) this.#say(id, last)
      else this.#stage.verdicts.unsteady(id, first)
    }
  }

  #say(id: RuleId, { exchange, received, expected, steps }: StoryNote): void {
    this.#broken.add(id)
    this.#stage.check(id, false, exchange, received, {
      ...(expected !== undefined && { expected }),
      steps,
    })
  }

  async #tellInCompany(commands: readonly Command[]): Promise<readonly StoryResult[]> {
    const isAlone = this.#stage.provided.concurrency === 1
    const lanes = await Promise.allSettled(
      Array.from({ length: isAlone ? 1 : 2 }, () => this.#tell(commands)),
    )
    // Only once nobody sends any more: what is made must still be deleted.
    return lanes.map((lane) => {
      if (lane.status === 'rejected') throw lane.reason
      return lane.value
    })
  }

  /** Tells a story from scratch, and deletes what it has made: a run of any length leaves no more than one story. */
  async #tell(commands: readonly Command[]): Promise<StoryResult> {
    this.#count++
    const prefix = `${this.#stage.prefix}s${this.#count}`
    // Told again it is written in the same ways, and another story in others.
    const story = new Story(this.#stage, this.#learnt, prefix, commands.length)
    // What the laws say of its exchanges is confirmed as everything else is.
    const check: LawCheck = (id, holds, exchange, received) =>
      holds
        ? this.#stage.check(id, true, exchange)
        : story.noteRule(id, exchange, { received, expected: undefined })
    if (this.#stage.provided.isOneSightEnough) return this.#tellAs(story, commands)
    return asker.run(check, () => this.#tellAs(story, commands))
  }

  async #tellAs(story: Story, commands: readonly Command[]): Promise<StoryResult> {
    const brokenAfter = new Map<RuleId, number>()
    let unanswered: TransportError | undefined
    let failed: StoryResult['failed']
    try {
      for (const [index, command] of commands.entries()) {
        this.#stage.told.doing = command.do
        await take(story, command)
        for (const [id, { holds }] of story.notes)
          if (!holds && !brokenAfter.has(id)) brokenAfter.set(id, index + 1)
      }
      this.#unanswered = 0
    } catch (error) {
      // A reply that never came ends a story; several in a row end them all.
      if (error instanceof TransportError) {
        if (++this.#unanswered > mostUnanswered) throw error
        unanswered = error
      } else if (error instanceof TypeError) failed = { error }
      else if (!(error instanceof Lost)) throw error
      for (const [id, { holds }] of story.notes)
        if (!holds && !brokenAfter.has(id)) brokenAfter.set(id, commands.length)
    }
    await this.#stage.cleanUp(story.prefix)
    return { notes: story.notes, brokenAfter, unanswered, failed }
  }

  /** Looks for the shortest story that still finds a rule broken: no step of it can be left out. */
  async #shorten(commands: readonly Command[], id: RuleId): Promise<StoryNote | undefined> {
    if (!this.#stage.provided.shrink || this.#shortened >= mostShortened) return undefined
    this.#shortened++
    let shortest = commands
    let note: StoryNote | undefined
    let left = mostShorter
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
