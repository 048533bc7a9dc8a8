import { bodyLimit, decodeBody, tooLarge, type UnderstudyReply, type UnderstudyRequest } from './messages.ts'

/** Reads a Fetch API request into a plain one; cookies are given where the runtime hides the header. */
export async function fromFetch(
  request: Request,
  cookies: Readonly<Record<string, string>> = {},
): Promise<UnderstudyRequest> {
  const headers: Record<string, string> = Object.fromEntries(request.headers)
  const pairs = Object.entries(cookies)
  if (headers.cookie === undefined && pairs.length > 0) {
    headers.cookie = pairs.map(([name, value]) => `${name}=${value}`).join('; ')
  }
  return { method: request.method, url: request.url, headers, body: await readText(request) }
}

async function readText(request: Request): Promise<UnderstudyRequest['body']> {
  if (request.method === 'GET' || request.method === 'HEAD') return undefined
  const bytes = new Uint8Array(await request.arrayBuffer())
  return bytes.length > bodyLimit ? tooLarge : decodeBody(bytes)
}

/** What a Fetch API response is made of. */
export function toResponseParts({ status, headers, body }: UnderstudyReply): [string | null, ResponseInit] {
  return [status === 204 ? null : body, { status, headers }]
}
