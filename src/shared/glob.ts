/** A parameter of a path such as `/api/backfills/:id`: a whole segment. */
const parameter = /(?<=\/):[^/]*/g

/** Writes a text so that a regular expression takes it literally. */
export function escapeRegExp(text: string): string {
  return text.replaceAll(/[.*+?^${}()|[\]\\]/g, '\\$&')
}

/** Returns the source of a regular expression for a path. A segment `:name` matches any one segment. */
function pathSource(path: string): string {
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
