import { env } from 'node:process'

/**
 * Whether this is `npm run test:thorough`. A file that imports this runs in both: `npm test` takes a part of what is
 * dear, and the thorough run the rest.
 */
export const isThorough = env.TEST_DEPTH === 'thorough'

/** The first of a list; the others in the thorough run. */
export function firstOf<Item>(few: number, all: readonly Item[]): readonly Item[] {
  return isThorough ? all.slice(few) : all.slice(0, few)
}

/** The first of each so many of a list; the others in the thorough run. */
export function everyNth<Item>(many: number, all: readonly Item[]): readonly Item[] {
  return all.filter((_, index) => (index % many === 0) !== isThorough)
}

/** A third of the samples of a property; all of them in the thorough run. */
export function samples(all: number): number {
  return isThorough ? all : Math.ceil(all / 3)
}
