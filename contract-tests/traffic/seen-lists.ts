import { isRecent } from './known-records.ts'
import { ListPositions, type PositionFlaw, type ShownPart } from './list-positions.ts'

/** The pages of a list, and the number of writes before the read. */
interface SeenList {
  readonly positions: ListPositions
  readonly writes: string
  readonly seenAt: number
}

/** Maximum number of lists with stored positions. */
const mostLists = 2_000

/** The lists that a server has shown since the last write that may have changed them. */
export class SeenLists {
  readonly #lists = new Map<string, SeenList>()
  readonly #writesIn = new Map<string, number>()
  #writes = 0
  #unplacedWrites = 0

  /** Counts a write in a pipeline, or in an unknown one. */
  countWrite(home: string | undefined): void {
    this.#writes++
    if (home === undefined) this.#unplacedWrites++
    else this.#writesIn.set(home, (this.#writesIn.get(home) ?? 0) + 1)
  }

  /** Adds a part of a list; returns the first contradiction, and whether another part was known. */
  add(
    name: string,
    home: string | undefined,
    at: number,
    part: ShownPart,
  ): { readonly flaw: PositionFlaw | undefined; readonly isKnown: boolean } {
    const writes = this.#writesBefore(home)
    const seen = this.#lists.get(name)
    const isKnown = seen?.writes === writes && isRecent(seen, at) && !seen.positions.isOutdatedBy(part)
    const positions = isKnown ? seen.positions : new ListPositions(part.count)
    const flaw = positions.add(part)
    this.#lists.delete(name)
    if (flaw === undefined) this.#lists.set(name, { positions, writes, seenAt: at })
    const [oldest] = this.#lists.keys()
    if (this.#lists.size > mostLists && oldest !== undefined) this.#lists.delete(oldest)
    return { flaw, isKnown }
  }

  /** Identifies the number of writes that may have changed a list. */
  #writesBefore(home: string | undefined): string {
    return home === undefined ? `${this.#writes}` : `${this.#unplacedWrites} ${this.#writesIn.get(home) ?? 0}`
  }
}
