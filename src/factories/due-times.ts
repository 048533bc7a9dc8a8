/** Something that happens by itself at a moment, to a record of a table. */
export interface DueTime {
  readonly at: string
  readonly plural: string
  readonly key: string
  readonly sequence: number
}

/** What is due next, and after that: a binary heap by moment, and by arrival where moments are equal. */
export class DueTimes {
  #heap: DueTime[] = []
  #sequence = 0

  /** The earliest moment at which anything is due. */
  get next(): DueTime | undefined {
    return this.#heap[0]
  }

  add(at: string, plural: string, key: string): void {
    const heap = this.#heap
    heap.push({ at, plural, key, sequence: this.#sequence++ })
    let index = heap.length - 1
    while (index > 0) {
      const parent = (index - 1) >> 1
      if (!isBefore(heap[index]!, heap[parent]!)) break
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
      if (left < heap.length && isBefore(heap[left]!, heap[least]!)) least = left
      if (right < heap.length && isBefore(heap[right]!, heap[least]!)) least = right
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
    this.#sequence = list.reduce((most, { sequence }) => Math.max(most, sequence + 1), 0)
  }
}

function isBefore(one: DueTime, other: DueTime): boolean {
  return one.at < other.at || (one.at === other.at && one.sequence < other.sequence)
}

function swap(heap: DueTime[], one: number, other: number): void {
  const held = heap[one]!
  heap[one] = heap[other]!
  heap[other] = held
}
