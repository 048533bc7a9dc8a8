import * as fc from 'fast-check'
import type { RuleId } from '../../rules/index.ts'
import { TransportError } from '../client.ts'
import { isObject } from '../is-object.ts'
import { PageSizes } from '../page-sizes.ts'
import type { Stage } from '../stage.ts'
import { type Command, take } from './commands.ts'
import { drawnStories } from './draw.ts'
import { Lost, type Note, Story } from './story.ts'
import { TargetClock } from './target-clock.ts'
import { tours } from './tours.ts'

/** How many stories are drawn where nobody says otherwise, and from which seed. */
export const defaults = { stories: 7, seed: 1, concurrency: 4 }
/** How often a failing story is told again to make it shorter, and how many stories are shortened at most. */
const mostShorter = 12
const mostShortened = 3
/** How many stories may end because a reply never came. */
const mostUnanswered = 3

/** Tells the tours and the drawn stories, and judges what they say. */
export async function playStories(stage: Stage, stories: number, seed: number): Promise<void> {
  if (stories === 0) return
  const teller = new Teller(stage)
  const drawn = fc.sample(drawnStories, { seed, numRuns: stories })
  const waiting = [...tours.map(({ commands }) => commands), ...drawn].values()
  // Each story has pipelines of its own, so several are told side by side.
  const tellOneByOne = async () => {
    for (const commands of waiting) await teller.judge(commands)
  }
  await Promise.all(Array.from({ length: stage.provided.concurrency }, tellOneByOne))
}

/** Tells whether two notes are of the same attribute. */
function isAlike(one: Note, other: Note): boolean {
  const names = ({ received }: Note) => (isObject(received) ? Object.keys(received).join() : undefined)
  return !one.holds && names(one) !== undefined && names(one) === names(other)
}

type Notes = ReadonlyMap<RuleId, Note>

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

  /** Tells a story; what it finds broken is told once more from scratch before it is said. */
  async judge(commands: readonly Command[]): Promise<void> {
    const notes = await this.#tell(commands)
    for (const [id, { holds, exchange }] of notes) if (holds) this.#stage.check(id, true, exchange)
    const found = [...notes].filter(([id, { holds }]) => !holds && !this.#broken.has(id))
    if (found.length === 0) return
    const again = await this.#tell(commands)
    for (const [id, first] of found) {
      const second = again.get(id)
      if (second?.holds === false) this.#say(id, (await this.#shorten(commands, id)) ?? second)
      // The same may be seen earlier the second time, and is then told of another rule.
      else if ([...again.values()].some((note) => isAlike(note, first))) this.#say(id, first)
      else this.#stage.verdicts.unsteady(id)
    }
  }

  #say(id: RuleId, { exchange, received, expected, steps }: Note): void {
    this.#broken.add(id)
    this.#stage.check(id, false, exchange, received, { expected, steps })
  }

  async #tell(commands: readonly Command[]): Promise<Notes> {
    this.#count++
    const story = new Story(this.#stage, this.#learnt, `${this.#stage.prefix}s${this.#count}`)
    try {
      for (const command of commands) await take(story, command)
    } catch (error) {
      // A reply that never came ends a story; several end them all.
      if (error instanceof TransportError && ++this.#unanswered <= mostUnanswered) return story.notes
      if (!(error instanceof Lost)) throw error
    }
    return story.notes
  }

  /** Looks for the shortest story that still finds a rule broken: first without its end, then without single steps. */
  async #shorten(commands: readonly Command[], id: RuleId): Promise<Note | undefined> {
    if (!this.#stage.provided.shrink || this.#shortened >= mostShortened) return undefined
    this.#shortened++
    let shortest = commands
    let note: Note | undefined
    let left = mostShorter
    const fails = async (shorter: readonly Command[]) => {
      left--
      const found = (await this.#tell(shorter)).get(id)
      if (found?.holds !== false) return false
      shortest = shorter
      note = found
      return true
    }
    for (let size = Math.ceil(shortest.length / 2); size >= 1 && left > 0; size = Math.floor(size / 2)) {
      for (let start = shortest.length - size; start >= 0 && left > 0; start -= size) {
        await fails(shortest.toSpliced(start, size))
      }
    }
    return note
  }
}
