import type { Resource } from '../resources/resource.ts'

/** Something that happens by itself at a moment, to a record of a table. */
export interface DueTime {
  readonly at: string
  readonly plural: string
  readonly key: string
}

/**
 * What is due next, and after that: a binary heap by moment. Where moments are equal, what refers to others comes
 * before them (a run ends before its schedule fires), and then records come by key: the order follows from the records
 * alone, so that a state that was exported or restored goes on as the one it was taken from.
 */
export class DueTimes {
  #heap: DueTime[] = []
  readonly #plurals: readonly string[]

  /** @param plurals the tables, each after those it refers to. */
  constructor(plurals: readonly string[]) {
    this.#plurals = plurals
  }

  /** The earliest moment at which anything is due. */
  get next(): DueTime | undefined {
    return this.#heap[0]
  }

  add(at: string, plural: string, key: string): void {
    const heap = this.#heap
    heap.push({ at, plural, key })
    let index = heap.length - 1
    while (index > 0) {
      const parent = (index - 1) >> 1
      if (!this.#isBefore(heap[index]!, heap[parent]!)) break
      swap(heap, index, parent)
      index = parent
    }
  }

  /** Takes the earliest one out. */
  take(): DueTime | undefined {
    const heap = this.#heap
    const first = heap[0]
    const last = heap.pop()
    if (heap.length === 0 || last === undefined) return first
    heap[0] = last
    let index = 0
    for (;;) {
      const left = 2 * index + 1
      const right = left + 1
      let least = index
      if (left < heap.length && this.#isBefore(heap[left]!, heap[least]!)) least = left
      if (right < heap.length && this.#isBefore(heap[right]!, heap[least]!)) least = right
      if (least === index) return first
      swap(heap, index, least)
      index = least
    }
  }

  /** What is due, to replace with later. */
  list(): readonly DueTime[] {
    return [...this.#heap]
  }

  /** Replaces everything by an earlier list. */
  replace(list: readonly DueTime[]): void {
    this.#heap = [...list]
  }

  #isBefore(one: DueTime, other: DueTime): boolean {
    if (one.at !== other.at) return one.at < other.at
    if (one.plural !== other.plural)
      return this.#plurals.indexOf(one.plural) > this.#plurals.indexOf(other.plural)
    return one.key.length === other.key.length ? one.key < other.key : one.key.length < other.key.length
  }
}

/** How often something has happened to each record since the settlement began, where that is limited. */
export class DueCounts {
  readonly #counts = new Map<string, number>()

  /** Counts one more, and tells whether it is within the limit. */
  isWithin({ limit }: NonNullable<Resource['due']>, { plural, key }: DueTime): boolean {
    if (limit === undefined) return true
    const name = `${plural}/${key}`
    const count = (this.#counts.get(name) ?? 0) + 1
    this.#counts.set(name, count)
    return count <= limit.most
  }
}

function swap(heap: DueTime[], one: number, other: number): void {
  const held = heap[one]!
  heap[one] = heap[other]!
  heap[other] = held
}
