import { setupWorker } from 'msw/browser'
import { createUnderstudy, type Understudy } from 'pipeline-understudy'
import { demo } from 'pipeline-understudy/fixtures'
import { createHandlers } from 'pipeline-understudy/msw'
import { indexedDbStorage } from 'pipeline-understudy/storage/indexed-db'
import { apiBase } from '../api/where'

declare global {
  interface Window {
    /** The stand-in behind this page: for its tests, and for the console. */
    understudy?: Understudy
  }
}

/** Answers the API in this page, by a service worker; what was changed is there again after a reload. */
export async function startMock(): Promise<void> {
  const understudy = await open()
  const baseUrl = new URL('.', apiBase).href.replace(/\/$/, '')
  const worker = setupWorker(...createHandlers(understudy, { baseUrl }))
  await worker.start({
    quiet: true,
    onUnhandledRequest: 'bypass',
    serviceWorker: { url: new URL('mockServiceWorker.js', document.baseURI).href },
  })
  window.understudy = understudy
}

const options = { fixture: demo, clock: 'system', auth: 'login' } as const

async function open(): Promise<Understudy> {
  const stored = createUnderstudy({ ...options, storage: indexedDbStorage('night-shift') })
  try {
    await stored.ready
    return stored
  } catch {
    // Another tab has it open, or the browser stores nothing: this page starts again, without storage.
    return createUnderstudy(options)
  }
}
