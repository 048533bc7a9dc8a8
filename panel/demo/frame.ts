import { HttpResponse, http } from 'msw'
import { setupWorker } from 'msw/browser'
import { createClient } from '../../src/admin/client/create-client.ts'
import type { WorldChange } from '../../src/engine/worlds/change-stream.ts'
import { escapeRegExp } from '../../src/shared/glob.ts'
import { Line } from './line.ts'
import { allowOneScript } from './one-script.ts'

/** Replaces the module of the example app that mocks in its own page: here all tabs share one mock. */
export async function startMock(): Promise<void> {
  const shell = parent.understudyDemo
  if (parent === window || shell === undefined) {
    location.replace('..')
    return new Promise(() => undefined)
  }
  allowOneScript(workerUrl)
  const line = new Line(shell.openPort())
  const app = new URL('.', document.baseURI).href
  const worker = setupWorker(
    http.all(new RegExp(`^${escapeRegExp(app)}api(?:/|\\?|$)`), async ({ request, cookies }) => {
      try {
        return await line.send(request, app, cookies)
      } catch {
        return HttpResponse.error()
      }
    }),
  )
  await worker.start({
    quiet: true,
    onUnhandledRequest: 'bypass',
    serviceWorker: { url: workerUrl },
  })
  const client = createClient(shell.base, { fetch: line.fetchBelow(shell.base) })
  await client.changes.subscribe(createRefresh())
  Object.assign(window, { understudy: client })
}

/** Time between two reads of the app, in milliseconds. */
const pause = 500

/** Makes the app read again after a change by the panel, by another tab or by the clock. */
function createRefresh(): (change: WorldChange) => void {
  let isAwaited = false
  return ({ parts }) => {
    if (isAwaited || !parts.some((part) => part === 'clock' || part.startsWith('records/'))) return
    isAwaited = true
    setTimeout(() => {
      isAwaited = false
      window.__TANSTACK_QUERY_CLIENT__?.invalidateQueries()
    }, pause)
  }
}

declare global {
  interface Window {
    /** The queries of the app, in the place where the tools of TanStack read them. */
    readonly __TANSTACK_QUERY_CLIENT__?: { invalidateQueries(): unknown }
  }
}

const workerUrl = new URL('../worker.js', document.baseURI).href
