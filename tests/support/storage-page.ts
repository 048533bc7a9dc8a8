import { createStore, get, keys, update } from 'idb-keyval'
import { setupWorker } from 'msw/browser'
import { createHandlers } from '../../src/handlers/index.ts'
import { createUnderstudy, type Fixture, type Understudy } from '../../src/index.ts'
import { indexedDbStorage } from '../../src/storage/indexed-db.ts'

/*
 * The page of `storage.browser.test.ts`: a mock behind a service worker, whose state outlives the page.
 */

let understudy: Understudy | undefined
let events: string[] = []

function create(fixture: Fixture): Understudy {
  return createUnderstudy({
    fixture,
    storage: indexedDbStorage('page'),
    onStorage: ({ kind, worlds }) => events.push(worlds === undefined ? kind : `${kind} ${worlds}`),
  })
}

/** Begins, and asks at once: the first request comes before the state is there. */
async function begin({ fixture, world }: { fixture: Fixture; world: string }) {
  events = []
  understudy = create(fixture)
  const worker = setupWorker(...createHandlers(understudy))
  await worker.start({
    quiet: true,
    serviceWorker: { url: '/page/mockServiceWorker.js', options: { scope: '/' } },
  })
  const reply = await fetch('/api/pipelines', { headers: { 'X-Understudy-World': world } })
  const { pipelines } = (await reply.json()) as { pipelines: { uuid: string }[] }
  return { events, uuids: pipelines.map(({ uuid }) => uuid) }
}

async function createPipeline({ name, world }: { name: string; world: string }): Promise<void> {
  const reply = await fetch('/api/pipelines', {
    method: 'POST',
    headers: { 'content-type': 'application/json', 'X-Understudy-World': world },
    body: JSON.stringify({ pipeline: { name, type: 'python' } }),
  })
  if (!reply.ok) throw new Error(await reply.text())
}

const store = createStore('pipeline-understudy', 'states')

/** Waits until the stored state contains a text. */
async function waitUntilStored(text: string): Promise<void> {
  while (!(await get<string>('page', store))?.includes(text)) {
    await new Promise((resolve) => setTimeout(resolve, 20))
  }
}

async function damage(): Promise<void> {
  await update<string>('page', (text = '') => text.slice(0, text.length / 2), store)
}

async function keysOfStates(): Promise<IDBValidKey[]> {
  return keys(store)
}

/** Why a second understudy of the page cannot have the state. */
async function refusal({ fixture }: { fixture: Fixture }): Promise<string> {
  const second = create(fixture)
  return second.ready.then(
    () => 'it was taken',
    (error: { code: string; detail: string }) => `${error.code}: ${error.detail}`,
  )
}

async function close(): Promise<void> {
  await understudy?.close()
}

Object.assign(window, { begin, createPipeline, waitUntilStored, damage, keysOfStates, refusal, close })
