import { env } from 'node:process'

/** True in `npm run test:thorough`. A file that imports this module runs in both and splits its tests. */
export const isThorough = env.TEST_DEPTH === 'thorough'

/** The `it` of tests that only `npm test` runs, in a file that runs in both. */
export function wholly<It extends object>(itInParts: It): It {
  return isThorough ? ignored(itInParts) : itInParts
}

/** The `it` of tests that only the thorough run runs, in a file that runs in both. */
export function thoroughly<It extends object>(it: It): It {
  return isThorough ? it : ignored(it)
}

/** An `it` that registers no test, with `each`, `for` and `concurrent`. */
function ignored<It extends object>(it: It): It {
  const none: It = new Proxy(it, { apply: () => none, get: () => none })
  return none
}

/** The first items of a list in `npm test`, and the others in the thorough run. */
export function firstOf<Item>(few: number, all: readonly Item[]): readonly Item[] {
  return isThorough ? all.slice(few) : all.slice(0, few)
}

/** Every nth item of a list in `npm test`, and the others in the thorough run. */
export function everyNth<Item>(many: number, all: readonly Item[]): readonly Item[] {
  return all.filter((_, index) => (index % many === 0) !== isThorough)
}

/** A tenth of the samples of a property in `npm test`, and all of them in the thorough run. */
export function samples(all: number): number {
  return isThorough ? all : Math.ceil(all / 10)
}
