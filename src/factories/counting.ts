import type { Resource, WireRecord } from '../resources/resource.ts'

/** Keeps the set of the records that count how often they are seen in step with a write. */
export function noteCounting(
  counting: Set<string>,
  { plural, key, counts }: Resource,
  previous: WireRecord | undefined,
  next: WireRecord | undefined,
): void {
  const isCounting = next !== undefined && next[counts!] !== null
  const wasCounting = previous !== undefined && previous[counts!] !== null
  if (isCounting) counting.add(`${plural}/${next[key]}`)
  else if (wasCounting) counting.delete(`${plural}/${previous[key]}`)
}
