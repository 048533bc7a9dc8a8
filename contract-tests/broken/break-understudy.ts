import type { Understudy, UnderstudyReply, UnderstudyRequest } from '../../src/index.ts'
import { type BrokenServer, breakServer } from './define-broken.ts'

/** An understudy that is wrong in one way, for every face; all but its answers is the good one's. */
export function breakUnderstudy(good: Understudy, broken: BrokenServer): Understudy {
  const wrong = breakServer(good, broken)
  const answers: Pick<Understudy, 'fetch' | 'dispatch'> = {
    fetch: (input, init) =>
      wrong.fetch(
        new Request(input instanceof Request ? input : new URL(input, 'http://understudy.invalid'), init),
      ),
    dispatch: (request) => (isApi(request.url) ? answer(wrong, request) : undefined),
  }
  // With the getters of the good one, which say what is there after an import, too.
  return Object.defineProperties({} as Understudy, {
    ...Object.getOwnPropertyDescriptors(good),
    ...Object.getOwnPropertyDescriptors(answers),
  })
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
    code: codeOf(text) ?? reply.status,
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
