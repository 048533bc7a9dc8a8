import type { Resource, WireRecord } from '../resources/resource.ts'

/** Keeps the set of the records that count how often they are seen in step with a write. */
export function noteCounting(
  counting: Set<string>,
  { plural, key, counts }: Resource,
  previous: WireRecord | undefined,
  next: WireRecord | undefined,
): void {
  if (counts === undefined) return
  if (next !== undefined && next[counts] !== null) counting.add(`${plural}/${next[key]}`)
  else if (previous !== undefined && previous[counts] !== null) counting.delete(`${plural}/${previous[key]}`)
}
