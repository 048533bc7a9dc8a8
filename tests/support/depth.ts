import { env } from 'node:process'

/**
 * Whether this is `npm run test:thorough`. A file that imports this runs in both: for `npm test` it takes a part of what
 * is dear, and here all of it.
 */
export const isThorough = env.TEST_DEPTH === 'thorough'

/** The first of a list; all of it in the thorough run. */
export function firstOf<Item>(few: number, all: readonly Item[]): readonly Item[] {
  return isThorough ? all : all.slice(0, few)
}

/** The first of each so many of a list; all of it in the thorough run. */
export function everyNth<Item>(many: number, all: readonly Item[]): readonly Item[] {
  return all.filter((_, index) => isThorough || index % many === 0)
}

/** A third of the samples of a property; all of them in the thorough run. */
export function samples(all: number): number {
  return isThorough ? all : Math.ceil(all / 3)
}
