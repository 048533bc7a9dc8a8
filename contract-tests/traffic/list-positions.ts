/** A part of a list: its query, and the ids that it shows. */
export interface ShownPart {
  readonly offset: number
  readonly limit: number | undefined
  readonly ids: readonly string[]
  readonly next: unknown
  readonly count: unknown
}

/** A contradiction between a part of a list and earlier parts. */
export interface PositionFlaw {
  readonly aspect: 'paging' | 'next'
  readonly received: unknown
  readonly expected: unknown
}

/** The positions of records in a list, as its pages show them between two writes. */
export class ListPositions {
  readonly #idAt = new Map<number, string>()
  readonly #positionOf = new Map<string, number>()
  #length: number | undefined
  readonly #count: unknown

  constructor(count: unknown) {
    this.#count = count
  }

  /** True if something that was not recorded has changed the list. */
  isOutdatedBy({ count }: ShownPart): boolean {
    return count !== this.#count
  }

  /** Adds a part; returns the first contradiction. */
  add(part: ShownPart): PositionFlaw | undefined {
    const flaw = this.#pagingFlaw(part) ?? this.#nextFlaw(part)
    if (flaw !== undefined) return flaw
    const { ids, offset, next } = part
    for (const [index, id] of ids.entries()) {
      this.#idAt.set(offset + index, id)
      this.#positionOf.set(id, offset + index)
    }
    if (next === false && (ids.length > 0 || offset === 0)) this.#length = offset + ids.length
    return undefined
  }

  #pagingFlaw({ ids, offset, limit, next }: ShownPart): PositionFlaw | undefined {
    const known = ids.map((_, index) => this.#idAt.get(offset + index))
    const differs = ids.findIndex((id, index) => {
      const before = this.#positionOf.get(id)
      return (known[index] ?? id) !== id || (before ?? offset + index) !== offset + index
    })
    if (differs !== -1) return { aspect: 'paging', received: ids, expected: this.#expected(ids, offset) }
    if (this.#length === undefined) return undefined
    const rest = Math.max(0, this.#length - offset)
    const most = Math.min(rest, limit ?? rest)
    // A server may show fewer records than `_limit`, with `next: true`.
    const isShort = ids.length < most && next !== true && limit !== 0
    if (ids.length <= rest && !isShort) return undefined
    return { aspect: 'paging', received: { items: ids.length }, expected: { items: most } }
  }

  #expected(ids: readonly string[], offset: number): string[] {
    return ids.map((_, index) => this.#idAt.get(offset + index) ?? 'another')
  }

  #nextFlaw({ ids, offset, limit, next }: ShownPart): PositionFlaw | undefined {
    if (limit === 0 || typeof next !== 'boolean' || (ids.length === 0 && offset > 0)) return undefined
    const end = offset + ids.length
    const hasMore = this.#length === undefined ? this.#idAt.has(end) || undefined : end < this.#length
    if (hasMore === undefined || hasMore === next) return undefined
    return { aspect: 'next', received: { next }, expected: { next: hasMore } }
  }
}
