import { normalizeRequest } from '../../src/engine/normalize-request.ts'
import { withAnswers } from '../../src/engine/with-answers.ts'
import type { Understudy, UnderstudyReply, UnderstudyRequest } from '../../src/index.ts'
import { byFetch } from '../judge/transports/in-process.ts'
import type { Answering } from '../judge/transports/transport.ts'
import { type BrokenServer, breakServer } from './define-broken.ts'

/** An understudy that is wrong in one way, for every face; all but its answers is the good one's. */
export function breakUnderstudy(good: Understudy, broken: BrokenServer): Understudy {
  // By its `fetch`, which delivers late what faults delay.
  const wrong = breakServer(byFetch(good), broken)
  return withAnswers(good, {
    async fetch(input, init) {
      const request = new Request(
        input instanceof Request ? input : new URL(input, 'http://understudy.invalid'),
        init,
      )
      const text = request.body === null ? undefined : await request.text()
      const headers = Object.fromEntries(request.headers)
      const reply = await answer(wrong, { method: request.method, url: request.url, headers, body: text })
      return new Response(reply.status === 204 ? null : reply.body, reply)
    },
    dispatch: (request) => (isApi(request.url) ? answer(wrong, normalizeRequest(request)) : undefined),
  })
}

async function answer(
  wrong: Answering,
  { method, url, headers = {}, body }: UnderstudyRequest,
): Promise<UnderstudyReply> {
  const { pathname, search } = new URL(url, 'http://understudy.invalid')
  const pairs = Object.entries(headers).map(([name, value]): [string, string] => [name, String(value)])
  const { status, contentType, text } = await wrong.answer({
    method,
    path: `${pathname}${search}`,
    // Those of the connection, and of a body that may become another.
    headers: Object.fromEntries(pairs.filter(([name]) => name !== 'connection' && name !== 'content-length')),
    body: typeof body === 'string' && body !== '' && method !== 'GET' && method !== 'HEAD' ? body : undefined,
  })
  return {
    status,
    headers: { 'content-type': contentType },
    body: text,
    code: codeOf(text) ?? status,
    operation: undefined,
    route: undefined,
  }
}

/** The logical status of a reply that reports an error. */
function codeOf(text: string): number | undefined {
  try {
    const { error } = JSON.parse(text) as { readonly error?: { readonly code?: unknown } }
    return typeof error?.code === 'number' ? error.code : undefined
  } catch {
    return undefined
  }
}

function isApi(url: string): boolean {
  const { pathname } = new URL(url, 'http://understudy.invalid')
  return pathname === '/api' || pathname.startsWith('/api/')
}
