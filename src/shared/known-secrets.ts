import type { Span } from './span.ts'

/** Minimum length of a secret to find by its value. Shorter texts also occur as ordinary words. */
export const shortestKnown = 6

/** Known secret values, each with a label. */
export class KnownSecrets<Label> {
  readonly #shortest: number
  readonly #labels = new Map<string, Label>()
  /** Values by their first characters, to search a text for all of them in one pass. */
  readonly #byStart = new Map<string, Set<string>>()
  readonly #firstCharacters = new Set<number>()

  /** @param shortest how many characters a value has at least. */
  constructor(shortest = shortestKnown) {
    this.#shortest = shortest
  }

  get(value: string): Label | undefined {
    return this.#labels.get(value)
  }

  set(value: string, label: Label): void {
    if (value.length < this.#shortest) return
    this.#labels.set(value, label)
    this.#firstCharacters.add(value.charCodeAt(0))
    const start = value.slice(0, this.#shortest)
    const values = this.#byStart.get(start)
    if (values === undefined) this.#byStart.set(start, new Set([value]))
    else values.add(value)
  }

  /**
   * Finds the values in a text; of several that start at one place, the longest. Occurrences of one value that overlap are
   * one span: in a long run of one character, there would otherwise be one for each.
   */
  findIn(text: string): (Span & { readonly label: Label })[] {
    const found: (Span & { label: Label })[] = []
    const ends = new Map<string, number>()
    for (let start = 0; start + this.#shortest <= text.length; start++) {
      if (!this.#firstCharacters.has(text.charCodeAt(start))) continue
      const values = this.#byStart.get(text.slice(start, start + this.#shortest))
      if (values === undefined) continue
      const value = longest(values, (each) => start >= (ends.get(each) ?? 0) && text.startsWith(each, start))
      const label = value === undefined ? undefined : this.#labels.get(value)
      if (value === undefined || label === undefined) continue
      const end = endOfOverlap(text, value, start)
      ends.set(value, end)
      found.push({ start, end, label })
    }
    return found
  }
}

/** Returns the end of a sequence of overlapping occurrences of a value, which begins at `start`. */
function endOfOverlap(text: string, value: string, start: number): number {
  let end = start + value.length
  for (;;) {
    const next = text.lastIndexOf(value, end - 1) + value.length
    if (next === end) return end
    end = next
  }
}

function longest(values: ReadonlySet<string>, fits: (value: string) => boolean): string | undefined {
  let found: string | undefined
  for (const value of values) {
    if ((found === undefined || value.length > found.length) && fits(value)) found = value
  }
  return found
}
