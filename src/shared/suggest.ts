import leven from 'leven'

/**
 * Names the candidate that was probably meant, as a sentence to append to a message; nothing where none is near.
 *
 * @example
 * suggest('dmo', ['demo', 'empty']) // ' Did you mean demo?'
 */
export function suggest(name: string, candidates: readonly string[]): string {
  const found = nearest(name, candidates)
  return found === undefined || found === name ? '' : ` Did you mean ${found}?`
}

/**
 * Lists the valid names, the most similar one first; of many names, only that one.
 *
 * @example
 * oneOf('nmae', ['id', 'name']) // 'name, or another of id, name'
 */
export function oneOf(name: string, candidates: readonly string[]): string {
  const near = nearest(name, candidates)
  if (near === undefined) return `one of ${candidates.join(', ')}`
  return candidates.length > 20 ? near : `${near}, or another of ${candidates.join(', ')}`
}

function nearest(name: string, candidates: readonly string[]): string | undefined {
  // Clients may send long names.
  if (name.length > longest) return undefined
  // Two letters that have changed places differ by two.
  const most = name.length < 4 ? 1 : Math.max(2, Math.floor(name.length / 3))
  // The library's own search for the nearest costs a page as much as its measure, and spares it nothing among so few.
  let found: string | undefined
  let least = most + 1
  for (const candidate of candidates) {
    const distance = leven(name, candidate)
    if (distance < least) [found, least] = [candidate, distance]
  }
  return found
}

const longest = 80
