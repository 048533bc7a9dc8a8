import leven from 'leven'
import { quote } from './errors.ts'

/**
 * Names the candidate that was probably meant, in a sentence to append to a message; empty if none is similar.
 *
 * @example
 * suggest('dmo', ['demo', 'empty']) // ' Did you mean demo?'
 */
export function suggest(name: string, candidates: readonly string[]): string {
  const found = nearest(name, candidates)
  return found === undefined || found === name ? '' : ` Did you mean ${found}?`
}

/**
 * Reports an unknown name with the known ones and the one that was probably meant; of many, only with that one.
 *
 * @example
 * noSuch('fixture', 'dmo', ['demo']) // 'There is no fixture "dmo"; there are demo. Did you mean demo?'
 */
export function noSuch(what: string, name: string, known: readonly string[]): string {
  const hint = suggest(name, known)
  const list = known.length > mostListed && hint !== '' ? '' : `; there are ${known.join(', ') || 'none'}`
  return `There is no ${what} ${quote(name)}${list}.${hint}`
}

/**
 * Lists the valid names, the most similar one first; of many names, only that one.
 *
 * @example
 * oneOf('nmae', ['id', 'name']) // 'name, or one of id'
 */
export function oneOf(name: string, candidates: readonly string[]): string {
  return listNames(nearest(name, candidates), candidates)
}

/**
 * Describes an unknown name by the known ones. It quotes the nearest, which a reader could take for the expected value.
 *
 * @example
 * expectedName('key', 'nmae', ['id', 'name']) // 'the key "name", or one of id'
 * expectedName('key', 'size', ['id', 'name']) // 'one of the keys id, name'
 */
export function expectedName(noun: string, name: string, known: readonly string[]): string {
  const near = nearest(name, known)
  if (near === undefined) return `one of the ${noun}s ${known.join(', ')}`
  return `the ${noun} ${listNames(near, known).replace(near, `"${near}"`)}`
}

/** Describes an unknown key by the known ones. */
export function unknownKey(key: string, known: readonly string[]): { expected: string; found: string } {
  return { expected: expectedName('key', key, known), found: 'an unknown key' }
}

function listNames(near: string | undefined, known: readonly string[]): string {
  if (near === undefined) return `one of ${known.join(', ')}`
  const others = known.filter((candidate) => candidate !== near)
  return known.length > mostListed || others.length === 0 ? near : `${near}, or one of ${others.join(', ')}`
}

function nearest(name: string, candidates: readonly string[]): string | undefined {
  // Clients may send long names.
  if (name.length > longest) return undefined
  // Two swapped letters have the distance 2.
  const most = name.length < 4 ? 1 : Math.max(2, Math.floor(name.length / 3))
  // The library's own search for the nearest name would double its size in a page.
  let found: string | undefined
  let least = most + 1
  for (const candidate of candidates) {
    const distance = leven(name, candidate)
    if (distance < least) [found, least] = [candidate, distance]
  }
  return found
}

const longest = 80
/** Maximum number of names to list beside the most similar one. */
const mostListed = 20
