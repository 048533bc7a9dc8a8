/** A change that was sent to a world, when, and when it was acknowledged; times in milliseconds since the epoch. */
interface SentChange {
  readonly kind: 'create' | 'delete'
  readonly name: string
  id: number | undefined
  readonly sentAt: number
  acknowledgedAt: number
}

/**
 * A tester in a world of its own: makes backfills and deletes them again, one after the other, and knows from when to
 * when a state may be without which of its changes.
 */
export class Tester {
  readonly name: string
  readonly #random: () => number
  /** What was there when the log begins, by id. */
  #base = new Map<number, string>()
  #log: SentChange[] = []
  /** All ids that were ever given, to whom. */
  readonly #given = new Map<number, string>()
  #count = 0

  constructor(name: string, random: () => number) {
    this.name = name
    this.#random = random
  }

  /** Sends one change, unless the server is gone. Returns what is wrong with its answer. */
  async act(url: string): Promise<string | undefined> {
    const present = [...this.#after(this.#log.length).keys()]
    const isDeletion = present.length > 3 && this.#random() < 0.3
    const id = isDeletion ? present[Math.floor(this.#random() * present.length)] : undefined
    this.#count += 1
    const change: SentChange = {
      kind: isDeletion ? 'delete' : 'create',
      name: `${this.name} ${this.#count}`,
      id,
      sentAt: Date.now(),
      acknowledgedAt: Number.POSITIVE_INFINITY,
    }
    this.#log.push(change)
    const reply = isDeletion
      ? await this.#ask(url, 'DELETE', `/api/backfills/${id}`)
      : await this.#ask(url, 'POST', '/api/pipelines/common/backfills', { backfill: { name: change.name } })
    change.acknowledgedAt = Date.now()
    const found = reply.backfill?.id
    if (typeof found !== 'number')
      return `${this.name}: no backfill in ${JSON.stringify(reply).slice(0, 200)}`
    if (isDeletion) return undefined
    change.id = found
    const before = this.#given.get(found)
    this.#given.set(found, change.name)
    return before === undefined ? undefined : `${this.name}: the id ${found} of ${before} was given again`
  }

  /**
   * Holds what a server has against what was sent, where its state is of a moment: everything that was acknowledged before,
   * and nothing that was sent later. Returns what is wrong, and when the oldest of what is missing was acknowledged.
   */
  async check(url: string, savedAt: number): Promise<{ flaw?: string; missingSince?: number }> {
    const reply = await fetch(`${url}/__understudy__/api/worlds/${this.name}/state`)
    const state = (reply.ok ? await reply.json() : {}) as { backfills?: { id: number; name: string }[] }
    // A world that was born since the last write is born again, and counts as every new one does.
    if (reply.status === 404) this.#given.clear()
    const found = new Map((state.backfills ?? []).map(({ id, name }) => [id, name]))
    const least = this.#log.filter(({ acknowledgedAt }) => acknowledgedAt < savedAt).length
    const most = this.#log.filter(({ sentAt }) => sentAt <= savedAt + 1_000).length
    for (let count = least; count <= most; count++) {
      if (!isSame(found, this.#after(count))) continue
      const [missing] = this.#log.slice(count).filter(({ acknowledgedAt }) => Number.isFinite(acknowledgedAt))
      this.#base = found
      this.#log = []
      return missing === undefined ? {} : { missingSince: missing.acknowledgedAt }
    }
    const expected = JSON.stringify([...this.#after(least)]).slice(0, 300)
    const flaw = `${this.name}: of ${new Date(savedAt).toISOString()} expected ${expected} or a little more; found ${JSON.stringify([...found]).slice(0, 300)}`
    this.#base = found
    this.#log = []
    return { flaw }
  }

  /** What is there after so many changes of the log. */
  #after(count: number): Map<number, string> {
    const present = new Map(this.#base)
    for (const { kind, id, name } of this.#log.slice(0, count)) {
      // One that was never answered has an id that nobody knows.
      if (kind === 'delete') present.delete(id!)
      else present.set(id ?? Number.NaN, name)
    }
    return present
  }

  async #ask(url: string, method: string, path: string, body?: unknown) {
    const reply = await fetch(`${url}${path}`, {
      method,
      headers: { 'content-type': 'application/json', 'x-understudy-world': this.name },
      ...(body !== undefined && { body: JSON.stringify(body) }),
    })
    return (await reply.json()) as { readonly backfill?: { readonly id?: unknown } }
  }
}

/** Whether two worlds have the same; what was never answered has any id. */
function isSame(found: ReadonlyMap<number, string>, expected: ReadonlyMap<number, string>): boolean {
  if (found.size !== expected.size) return false
  const names = new Set(found.values())
  return [...expected].every(([id, name]) => (Number.isNaN(id) ? names.has(name) : found.get(id) === name))
}
