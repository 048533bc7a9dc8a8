import type { Slices } from '../shared/slices.ts'

/** How many are sorted, or merged, before others may have their turn. */
const slice = 2_048

/** Sorts as `toSorted` does, equal ones in the order they have; however many they are, nobody waits for all of it. */
export function* sortInSlices<Item>(
  items: readonly Item[],
  compare: (one: Item, other: Item) => number,
): Slices<Item[]> {
  let parts: Item[][] = []
  for (let start = 0; start < items.length; start += slice) {
    parts.push(items.slice(start, start + slice).sort(compare))
    yield
  }
  while (parts.length > 1) {
    const merged: Item[][] = []
    for (let index = 0; index < parts.length; index += 2) {
      const [one, other] = [parts[index]!, parts[index + 1]]
      merged.push(other === undefined ? one : yield* merge(one, other, compare))
    }
    parts = merged
  }
  return parts[0] ?? []
}

function* merge<Item>(
  one: readonly Item[],
  other: readonly Item[],
  compare: (one: Item, other: Item) => number,
): Slices<Item[]> {
  const merged: Item[] = []
  let [left, right] = [0, 0]
  while (left < one.length || right < other.length) {
    const isLeft = right >= other.length || (left < one.length && compare(one[left]!, other[right]!) <= 0)
    merged.push(isLeft ? one[left++]! : other[right++]!)
    if (merged.length % slice === 0) yield
  }
  return merged
}
