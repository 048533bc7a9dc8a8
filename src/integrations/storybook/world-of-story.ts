import { isWorldName } from '../../shared/world-name.ts'

/**
 * Number of characters of a story's id at the start of the name of its world. Names have at most 64
 * characters.
 */
const most = 40

/**
 * Returns the name of a story's world: its id if it is a valid name, otherwise a shortened id with a hash.
 */
export function worldOfStory(id: string): string {
  if (isWorldName(id)) return id
  const left = id
    .normalize('NFKD')
    .replaceAll(/[^\w-]/g, '')
    .replace(/^[^a-z0-9]+/i, '')
    .slice(0, most)
  return [...(left === '' ? [] : [left]), numberOf(id)].join('-')
}

/** A number of 53 bits, by two runs of FNV-1a. */
function numberOf(text: string): string {
  const run = (seed: number) => {
    let number = seed
    for (const byte of new TextEncoder().encode(text)) number = Math.imul(number ^ byte, 0x01000193) >>> 0
    return number
  }
  return `${run(0x811c9dc5).toString(36)}${run(0x050c5d1f).toString(36)}`
}
