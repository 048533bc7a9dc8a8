import { allowOneScript } from './one-script.ts'

/**
 * The service worker of the demo: Mock Service Worker's script, and before it a cache of the demo's files, so that the demo
 * opens offline. `demo build` writes the list of files before this script.
 */
declare const offline: {
  /** Differs if the files differ. */
  readonly version: string
  /** Their paths below the demo. */
  readonly files: readonly string[]
}
/** The used parts of a service worker, which the types of a page do not contain. */
interface WorkerEvent extends Event {
  readonly request: Request
  readonly data: unknown
  readonly ports: readonly MessagePort[]
  respondWith(response: Promise<Response>): void
  waitUntil(done: Promise<unknown>): void
}
declare const registration: ServiceWorkerRegistration
declare function addEventListener(name: string, listener: (event: WorkerEvent) => void): void
declare function importScripts(url: string): void

const { scope } = registration
const family = `understudy-demo ${scope} `
const cacheName = family + offline.version
const files = new Set(offline.files)
const pages = new Map([
  ['', 'index.html'],
  ['app/', 'app/index.html'],
])

addEventListener('activate', (event) => event.waitUntil(dropOld()))

addEventListener('message', (event) => {
  // Mock Service Worker would unregister itself after its last page, and the demo would no longer open offline.
  if (event.data === 'CLIENT_CLOSED') event.stopImmediatePropagation()
  if (event.data !== 'KEEP_OFFLINE') return
  const stored = storeAll().then(
    () => true,
    () => false,
  )
  event.waitUntil(stored.then((isStored) => event.ports[0]?.postMessage(isStored)))
})

addEventListener('fetch', (event) => {
  const { method, url } = event.request
  const [address = ''] = url.split(/[?#]/, 1)
  if (method !== 'GET' || !address.startsWith(scope)) return
  const path = address.slice(scope.length)
  const file = pages.get(path) ?? path
  if (!files.has(file)) return
  event.stopImmediatePropagation()
  event.respondWith(
    isNamedByContent(file) ? fromCacheFirst(file, event.request) : fromHostFirst(file, event.request),
  )
})

/** The name of such a file contains a hash of its content. */
const isNamedByContent = (file: string) => /-[\w-]{8}\.\w+$/.test(file)

async function fromCacheFirst(file: string, request: Request): Promise<Response> {
  return (await readStored(file)) ?? fetch(request)
}

async function fromHostFirst(file: string, request: Request): Promise<Response> {
  try {
    return await fetch(request)
  } catch (error) {
    const found = await readStored(file)
    if (found === undefined) throw error
    return found
  }
}

async function readStored(file: string): Promise<Response | undefined> {
  return (await caches.open(cacheName)).match(scope + file)
}

async function storeAll(): Promise<void> {
  const cache = await caches.open(cacheName)
  const there = await cache.keys()
  if (there.length === files.size) return
  await cache.addAll([...files].map((file) => new Request(scope + file, { cache: 'no-cache' })))
}

async function dropOld(): Promise<void> {
  const old = (await caches.keys()).filter((name) => name.startsWith(family) && name !== cacheName)
  await Promise.all(old.map((name) => caches.delete(name)))
}

const mockScript = './mockServiceWorker.js'
allowOneScript(mockScript)
importScripts(mockScript)
