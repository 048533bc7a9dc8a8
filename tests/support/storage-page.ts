import { setupWorker } from 'msw/browser'
import { createHandlers } from '../../src/handlers/index.ts'
import { createUnderstudy, type Fixture, type Understudy } from '../../src/index.ts'
import { indexedDbStorage } from '../../src/storage/indexed-db.ts'

/*
 * The page of `storage.browser.test.ts`: an understudy behind a service worker, whose state outlives the page.
 */

let understudy: Understudy | undefined
let said: string[] = []

function create(fixture: Fixture): Understudy {
  return createUnderstudy({
    fixture,
    storage: indexedDbStorage('page'),
    onStorage: ({ kind, worlds }) => said.push(worlds === undefined ? kind : `${kind} ${worlds}`),
  })
}

/** Begins, and asks at once: the first request comes before the state is there. */
async function begin({ fixture, world }: { fixture: Fixture; world: string }) {
  said = []
  understudy = create(fixture)
  const worker = setupWorker(...createHandlers(understudy))
  await worker.start({
    quiet: true,
    serviceWorker: { url: '/page/mockServiceWorker.js', options: { scope: '/' } },
  })
  const reply = await fetch('/api/pipelines', { headers: { 'X-Understudy-World': world } })
  const { pipelines } = (await reply.json()) as { pipelines: { uuid: string }[] }
  return { said, uuids: pipelines.map(({ uuid }) => uuid) }
}

async function createPipeline({ name, world }: { name: string; world: string }): Promise<void> {
  const reply = await fetch('/api/pipelines', {
    method: 'POST',
    headers: { 'content-type': 'application/json', 'X-Understudy-World': world },
    body: JSON.stringify({ pipeline: { name, type: 'python' } }),
  })
  if (!reply.ok) throw new Error(await reply.text())
}

function states(): Promise<IDBObjectStore> {
  return new Promise((resolve, reject) => {
    const opening = indexedDB.open('pipeline-understudy', 1)
    opening.onerror = () => reject(opening.error)
    opening.onsuccess = () => resolve(opening.result.transaction('states', 'readwrite').objectStore('states'))
  })
}

function settled<Value>(request: IDBRequest<Value>): Promise<Value> {
  return new Promise((resolve, reject) => {
    request.onerror = () => reject(request.error)
    request.onsuccess = () => resolve(request.result)
  })
}

/** Waits until a text is kept. */
async function waitUntilKept(text: string): Promise<void> {
  for (;;) {
    const bytes: unknown = await settled((await states()).get('page'))
    if (bytes instanceof Uint8Array && new TextDecoder().decode(bytes).includes(text)) return
    await new Promise((wake) => setTimeout(wake, 20))
  }
}

async function damage(): Promise<void> {
  const store = await states()
  const bytes = (await settled(store.get('page'))) as Uint8Array
  bytes[bytes.length >> 1]! ^= 1
  await settled(store.put(bytes, 'page'))
}

async function keys(): Promise<IDBValidKey[]> {
  return settled((await states()).getAllKeys())
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

Object.assign(window, { begin, createPipeline, waitUntilKept, damage, keys, refusal, close })
