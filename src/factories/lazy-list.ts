/**
 * A list whose elements are made when they are asked for: so many at each place, one after the other. What reads lists
 * reads it as one; it cannot be written.
 */
export function lazyList<Element>(
  counts: readonly number[],
  make: (place: number, index: number) => Element,
): Element[] {
  const starts: number[] = []
  let length = 0
  for (const count of counts) {
    starts.push(length)
    length += count
  }
  /** Where the last one was: whoever goes through a list asks for its neighbour next. */
  let place = 0
  return listOf(length, (at) => {
    if (at < starts[place]! || at >= starts[place]! + counts[place]!) place = placeOf(starts, at)
    return make(place, at - starts[place]!)
  })
}

/** A part of a list, forwards from its beginning or backwards from its end. */
export function lazyPart<Element>(
  list: readonly Element[],
  begin: number,
  end: number,
  isReverse: boolean,
): Element[] {
  const length = Math.max(0, Math.min(end, list.length) - begin)
  return listOf(length, (at) => list[isReverse ? list.length - 1 - begin - at : begin + at]!)
}

function listOf<Element>(length: number, make: (at: number) => Element): Element[] {
  const isWithin = (name: string | symbol) =>
    typeof name === 'string' && /^\d+$/.test(name) && Number(name) < length
  return new Proxy<Element[]>([], {
    get: (target, name) =>
      name === 'length' ? length : isWithin(name) ? make(Number(name)) : Reflect.get(target, name),
    has: (target, name) => isWithin(name) || Reflect.has(target, name),
  })
}

/** The last place that starts no later. */
function placeOf(starts: readonly number[], at: number): number {
  let low = 0
  let high = starts.length
  while (high - low > 1) {
    const middle = (low + high) >>> 1
    if (starts[middle]! <= at) low = middle
    else high = middle
  }
  return low
}
