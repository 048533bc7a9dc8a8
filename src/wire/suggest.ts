import leven, { closestMatch } from 'leven'

/**
 * Names the candidate that was probably meant, as a sentence to append to a message; nothing where none is near.
 *
 * @example
 * suggest('dmo', ['demo', 'empty']) // ' Did you mean demo?'
 */
export function suggest(name: string, candidates: readonly string[]): string {
  // What a client sends may be long; no candidate is near it then.
  if (name.length > longest) return ''
  const maxDistance = Math.max(1, Math.floor(name.length / 3))
  const found = closestMatch(name, candidates, { maxDistance })
  return found === undefined || found === name ? '' : ` Did you mean ${found}?`
}

/** By how many characters two names differ; of long ones the beginning counts. */
export function distance(one: string, other: string): number {
  return leven(one.slice(0, longest), other.slice(0, longest))
}

/** The longest name that is compared, in characters. */
const longest = 80
