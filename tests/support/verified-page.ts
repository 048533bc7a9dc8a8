import { setupWorker } from 'msw/browser'
import type { Incoming, Outgoing } from '../../contract-tests/runner/transports/transport.ts'
import { targetFixture } from '../../contract-tests/targets/fixture.ts'
import { createHandlers } from '../../src/handlers/index.ts'
import { createUnderstudy } from '../../src/index.ts'

/** Starts an understudy with everything the verifier needs, behind the service worker of this page. */
async function startTarget(): Promise<void> {
  const understudy = createUnderstudy({ fixture: targetFixture, clock: 'system', auth: 'login' })
  await setupWorker(...createHandlers(understudy)).start({
    quiet: true,
    onUnhandledRequest: 'error',
    serviceWorker: { url: '/page/mockServiceWorker.js', options: { scope: '/' } },
  })
}

const underWay = new Set<Promise<Incoming>>()
let alone: Promise<unknown> = Promise.resolve()

/** Sends a request as an application in the page does. */
async function answer(request: Outgoing): Promise<Incoming> {
  const { cookie, ...headers } = Object.fromEntries(
    Object.entries(request.headers).map(([name, value]) => [name.toLowerCase(), value]),
  )
  // Another may have come to be alone meanwhile.
  for (let seen: unknown; seen !== alone; ) {
    seen = alone
    await seen
  }
  if (cookie === undefined) return track(send({ ...request, headers }))
  // A page cannot set the header but only the cookies themselves, which every request carries: nothing else is under way.
  const before = [...underWay]
  const sent = Promise.allSettled(before).then(() => withCookies(cookie, () => send({ ...request, headers })))
  alone = sent.catch(() => undefined)
  return sent
}

function track(sent: Promise<Incoming>): Promise<Incoming> {
  underWay.add(sent)
  return sent.finally(() => underWay.delete(sent))
}

async function withCookies<Value>(cookie: string, act: () => Promise<Value>): Promise<Value> {
  const pairs = cookie.split('; ')
  // biome-ignore lint/suspicious/noDocumentCookie: the Cookie Store API is not what older pages use
  for (const pair of pairs) document.cookie = `${pair}; path=/`
  try {
    return await act()
  } finally {
    // biome-ignore lint/suspicious/noDocumentCookie: see above
    for (const pair of pairs) document.cookie = `${pair.split('=')[0]}=; path=/; max-age=0`
  }
}

async function send({ method, path, headers, body }: Outgoing): Promise<Incoming> {
  const response = await fetch(location.origin + path, {
    method,
    headers: { ...(body !== undefined && { 'content-type': 'application/json' }), ...headers },
    ...(body !== undefined && { body }),
  })
  return {
    status: response.status,
    contentType: response.headers.get('content-type') ?? '',
    text: await response.text(),
  }
}

Object.assign(window, { startTarget, answer })
