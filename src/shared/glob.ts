/** A parameter of a path such as `/api/backfills/:id`: a whole segment. */
const parameter = /(?<=\/):[^/]*/g

/** Writes a text so that a regular expression takes it literally. */
export function escapeRegExp(text: string): string {
  return text.replaceAll(/[.*+?^${}()|[\]\\]/g, '\\$&')
}

/** Returns the source of a regular expression for a path. A segment `:name` matches any one segment. */
export function pathSource(path: string): string {
  return path.split(parameter).map(escapeRegExp).join('[^/]+')
}

/**
 * Creates a matcher for a pattern. `*` matches any characters, a segment `:name` matches any one segment.
 *
 * It takes linear time: each part between two stars matches at its first occurrence.
 *
 * @example
 * createGlob('/api/pipelines/:uuid*')('/api/pipelines/daily_sales') // true
 */
export function createGlob(pattern: string): (text: string) => boolean {
  // A parameter is a whole segment, so that a star in its name is none.
  const pieces = pattern.replaceAll(parameter, ':').split('*').map(pathSource)
  const searches = pieces.map((source, index) => {
    const start = index === 0 ? '^' : ''
    const end = index === pieces.length - 1 ? '$' : ''
    return new RegExp(start + source + end, 'g')
  })
  return (text) => {
    let position = 0
    return searches.every((search) => {
      search.lastIndex = position
      const isFound = search.test(text)
      position = search.lastIndex
      return isFound
    })
  }
}

/** Reports whether a text fits a pattern, see `createGlob`. */
export function matchesGlob(pattern: string, text: string): boolean {
  return createGlob(pattern)(text)
}

/**
 * Reports whether any path of a route fits a pattern, see `createGlob`; a route has parameters and no stars.
 *
 * It takes a time linear in the pattern for each character of the route.
 *
 * @example
 * canFitRoute('/api/pipelines*', '/api/pipelines/:uuid/blocks') // true
 */
export function canFitRoute(pattern: string, route: string): boolean {
  const places = placesOf(pattern)
  let reached = skipStars(places, new Set([0]))
  for (const symbol of route.replaceAll(parameter, ':')) {
    const next = new Set<number>()
    for (const at of reached) {
      const place = places[at]
      if (place === undefined || !takes(place, symbol)) continue
      next.add(place === '*' || place === '::' ? at : at + 1)
    }
    // A parameter has one character or more, up to a slash.
    reached = skipStars(places, next, symbol === ':')
  }
  return reached.has(places.length)
}

/** The places of a pattern: `*` is any text, `:` a character that is no slash, `::` any number of those. */
function placesOf(pattern: string): string[] {
  return [...pattern.replaceAll(parameter, ':')].flatMap((character) =>
    character === ':' ? [':', '::'] : character,
  )
}

function takes(place: string, symbol: string): boolean {
  if (place === '*') return true
  if (place === ':' || place === '::' || symbol === ':') return place !== '/' && symbol !== '/'
  return place === symbol
}

/** Returns the places that are reachable without a character, or with those of a parameter. */
function skipStars(places: readonly string[], reached: Set<number>, isParameter = false): Set<number> {
  // The loop also visits elements that it adds.
  for (const at of reached) {
    const place = places[at]
    if (place === undefined) continue
    if (place === '*' || place === '::' || (isParameter && place !== '/')) reached.add(at + 1)
  }
  return reached
}
