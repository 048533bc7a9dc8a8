import { isRequest } from './built-ins.ts'

/**
 * Makes the request that a `fetch` of ours is asked for: a path is one of the server's, and what was addressed to
 * another origin goes to the server, too.
 *
 * @param server an origin, with what stands before its paths.
 */
export async function toRequest(
  input: string | URL | Request,
  init: RequestInit | undefined,
  server: string,
): Promise<Request> {
  if (!isRequest(input)) return new Request(addressAt(server, String(input)), init)
  const { method, headers, signal } = input
  const hasBody = method !== 'GET' && method !== 'HEAD'
  const asked: RequestInit = {
    method,
    headers: Object.fromEntries(headers),
    signal,
    ...(hasBody && init?.body === undefined && { body: await input.arrayBuffer() }),
  }
  return new Request(addressAt(server, input.url), { ...asked, ...init })
}

function addressAt(server: string, input: string): string {
  const { href, pathname, search } = new URL(input, `${server}/`)
  return href.startsWith(`${server}/`) ? href : `${server}${pathname}${search}`
}
