import { setupWorker } from 'msw/browser'
import { createHandlers } from '../../src/handlers/index.ts'
import { createUnderstudy, type Fixture } from '../../src/index.ts'
import { profiles } from '../../src/profiles/index.ts'
import { play, type Scene } from './parity-script.ts'

/** Plays scenes inside a page: the understudy, its handlers and the service worker are all in the browser. */
async function playScenes({ scenes, fixture }: { scenes: readonly Scene[]; fixture: Fixture }) {
  const worker = setupWorker()
  await worker.start({
    quiet: true,
    onUnhandledRequest: 'bypass',
    serviceWorker: { url: '/page/mockServiceWorker.js', options: { scope: '/' } },
  })
  const played = []
  for (const { auth, profile, ...scene } of scenes) {
    const understudy = createUnderstudy({
      fixture,
      auth,
      ...(profile !== undefined && { profile: profiles[profile]! }),
    })
    worker.resetHandlers(...createHandlers(understudy))
    const heard = await play(
      { auth, ...scene },
      {
        name: 'a service worker in Chromium',
        advance: (duration) => understudy.clock.advance(duration),
        async send({ method, path, headers: { cookie, ...headers }, body }) {
          // A page cannot set the header; it can set the cookies themselves.
          const cookies = (cookie ?? '').split('; ').filter((pair) => pair !== '')
          // biome-ignore lint/suspicious/noDocumentCookie: the Cookie Store API is not what older pages use
          for (const pair of cookies) document.cookie = `${pair}; path=/`
          const response = await fetch(`${location.origin}${path}`, {
            method,
            headers,
            ...(body && { body }),
          })
          const text = await response.text()
          // biome-ignore lint/suspicious/noDocumentCookie: see above
          for (const pair of cookies) document.cookie = `${pair.split('=')[0]}=; path=/; max-age=0`
          return { status: response.status, headers: response.headers, body: text }
        },
      },
    )
    played.push({ heard, state: understudy.export() })
  }
  return played
}

Object.assign(window, { playScenes })
