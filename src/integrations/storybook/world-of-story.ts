import { seededHex } from '../../shared/seeded.ts'
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
  return [...(left === '' ? [] : [left]), seededHex(0, id).slice(0, 12)].join('-')
}
