import type { Understudy, UnderstudyReply, UnderstudyRequest } from '../../src/index.ts'
import { type BrokenServer, breakServer } from './define-broken.ts'

/** An understudy that is wrong in one way, for every face; all but its answers is the good one's. */
export function breakUnderstudy(good: Understudy, broken: BrokenServer): Understudy {
  const wrong = breakServer(good, broken)
  return {
    ...good,
    model: good.model,
    fetch: (request) => wrong.fetch(request),
    dispatch(request) {
      return isApi(request.url) ? answer(wrong, request) : undefined
    },
  }
}

async function answer(
  wrong: { fetch(request: Request): Promise<Response> },
  { method, url, headers, body }: UnderstudyRequest,
): Promise<UnderstudyReply> {
  const hasBody = typeof body === 'string' && body !== '' && method !== 'GET' && method !== 'HEAD'
  const pairs = Object.entries(headers ?? {}).map(([name, value]): [string, string] => [name, String(value)])
  const request = new Request(new URL(url, 'http://understudy.invalid'), {
    method,
    headers: pairs.filter(([name]) => name !== 'connection' && name !== 'content-length'),
    body: hasBody ? body : null,
  })
  const reply = await wrong.fetch(request)
  const text = await reply.text()
  return {
    status: reply.status,
    headers: Object.fromEntries(reply.headers),
    body: text,
    code: reply.status,
    operation: undefined,
    route: undefined,
  }
}

function isApi(url: string): boolean {
  const { pathname } = new URL(url, 'http://understudy.invalid')
  return pathname === '/api' || pathname.startsWith('/api/')
}
