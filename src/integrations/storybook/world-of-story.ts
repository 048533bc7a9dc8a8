import { seededHex } from '../../shared/seeded.ts'
import { isWorldName } from '../../shared/world-name.ts'

/** Characters of a story's id in the name of its world, which has at most 64. */
const most = 40

/** Returns the name of a story's world: its id if it is a valid name, otherwise a shortened id with a hash. */
export function worldOfStory(id: string): string {
  if (isWorldName(id)) return id
  const left = id
    .normalize('NFKD')
    .replaceAll(/[^\w-]/g, '')
    .replace(/^[^a-z0-9]+/i, '')
    .slice(0, most)
  return [...(left === '' ? [] : [left]), seededHex(0, id).slice(0, 12)].join('-')
}
