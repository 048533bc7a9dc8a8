/** A parameter of a path such as `/api/backfills/:id`: a whole segment. */
const parameter = /(?<=\/):[^/]*/g

/** Writes a text so that a regular expression takes it literally. */
export function escapeRegExp(text: string): string {
  return text.replaceAll(/[.*+?^${}()|[\]\\]/g, '\\$&')
}

/** The source of a regular expression for a path, in which a segment `:name` stands for any one segment. */
export function pathSource(path: string): string {
  return path.split(parameter).map(escapeRegExp).join('[^/]+')
}

/**
 * Makes the matcher of a pattern in which `*` stands for any characters and a segment `:name` for any one segment.
 *
 * It takes a time linear in the text: what stands between two stars is taken where it is found first, and never
 * looked for again elsewhere.
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

/** Tells whether a text fits a pattern, see `createGlob`. */
export function matchesGlob(pattern: string, text: string): boolean {
  return createGlob(pattern)(text)
}

/**
 * Tells whether any path of a route fits a pattern, see `createGlob`; a route has parameters and no stars.
 *
 * @example
 * canFitRoute('/api/pipelines*', '/api/pipelines/:uuid/blocks') // true
 */
export function canFitRoute(pattern: string, route: string): boolean {
  const places = placesOf(pattern)
  let reached = new Set([0])
  const skipRepeats = () => {
    // What is added to a set while it is gone through is gone through, too.
    for (const at of reached) if (places[at]?.repeats) reached.add(at + 1)
  }
  const read = (symbol: string) => {
    const next = new Set<number>()
    for (const at of reached) {
      const place = places[at]
      if (place !== undefined && takes(place, symbol)) next.add(place.repeats ? at : at + 1)
    }
    reached = next
    skipRepeats()
  }
  skipRepeats()
  for (const symbol of route.replaceAll(parameter, ':')) {
    read(symbol)
    if (symbol !== ':') continue
    // A parameter is one character or more.
    const all = new Set(reached)
    for (let before = 0; before < all.size; ) {
      before = all.size
      read(symbol)
      for (const at of reached) all.add(at)
    }
    reached = all
  }
  return reached.has(places.length)
}

/** A place of a pattern: which character it takes (`*`: any, `:`: any but a slash), and whether any number of them. */
interface Place {
  readonly character: string
  readonly repeats: boolean
}

function placesOf(pattern: string): Place[] {
  return [...pattern.replaceAll(parameter, ':')].flatMap((character) => {
    const once = { character, repeats: false }
    if (character === ':') return [once, { character, repeats: true }]
    return character === '*' ? [{ character, repeats: true }] : [once]
  })
}

function takes({ character }: Place, symbol: string): boolean {
  if (character === '*') return true
  if (character === ':' || symbol === ':') return character !== '/' && symbol !== '/'
  return character === symbol
}
