import { env } from 'node:process'

/**
 * Whether this is `npm run test:thorough`. A file that imports this runs in both: `npm test` takes a part of what is
 * dear, and the thorough run the rest.
 */
export const isThorough = env.TEST_DEPTH === 'thorough'

/**
 * The `it` of what `npm test` asks whole, in a file that runs in both: the thorough run registers nothing with it.
 *
 * @example
 * const it = wholly(itInParts)
 * it('is asked by npm test alone', …)
 * itInParts.each(firstOf(1, adapters))('is asked in parts through %s', …)
 */
export function wholly<It extends object>(itInParts: It): It {
  return isThorough ? nothing(itInParts) : itInParts
}

/** The `it` of what the thorough run asks alone, in a file that runs in both. */
export function thoroughly<It extends object>(it: It): It {
  return isThorough ? it : nothing(it)
}

/** What may be called, and asked for `each`, `for` and `concurrent`, and does nothing. */
function nothing<It extends object>(it: It): It {
  const none: It = new Proxy(it, { apply: () => none, get: () => none })
  return none
}

/** The first of a list; the others in the thorough run. */
export function firstOf<Item>(few: number, all: readonly Item[]): readonly Item[] {
  return isThorough ? all.slice(few) : all.slice(0, few)
}

/** The first of each so many of a list; the others in the thorough run. */
export function everyNth<Item>(many: number, all: readonly Item[]): readonly Item[] {
  return all.filter((_, index) => (index % many === 0) !== isThorough)
}

/** A fifth of the samples of a property; all of them in the thorough run. */
export function samples(all: number): number {
  return isThorough ? all : Math.ceil(all / 5)
}
