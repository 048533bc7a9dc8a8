/**
 * A path or a part of one with its letters and digits plain, whatever their encoding (RFC 3986, 6.2.2.2): the same address
 * in a comparable form. Encoded separators of parts do not change.
 *
 * @example
 * plainAddress('/api/pipelines/order%73') // '/api/pipelines/orders'
 */
function plainAddress(path: string): string {
  if (!path.includes('%')) return path
  return path.replaceAll(/(?:%[0-9a-f]{2})+/gi, (codes) => {
    try {
      return decodeURI(codes)
    } catch {
      return codes
    }
  })
}

/** The parameters in the query of a request. */
export function queryOf({ path }: { readonly path: string }): URLSearchParams {
  return new URLSearchParams(path.split('?')[1])
}

/** The plain address of a request, without its query. */
export function addressOf({ path }: { readonly path: string }): string {
  const [address = ''] = path.split('?')
  return plainAddress(address)
}

/** Decodes percent codes of plain characters in a path; in a query, only letters, digits and `-._~` are plain. */
export function plainPath(path: string): string {
  const [, ...query] = path.split('?')
  const plainQuery = (text: string) =>
    text.replaceAll(/%(?:2[de]|5f|7e|3\d|[46][1-9a-f]|[57][0-9a])/gi, (code) => decodeURIComponent(code))
  return [addressOf({ path }), ...query.map(plainQuery)].join('?')
}
