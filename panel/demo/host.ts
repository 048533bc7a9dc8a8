import type { Admin } from '../../src/admin/create-admin.ts'
import {
  createUnderstudy,
  type FaceThatExpresses,
  type Understudy,
} from '../../src/engine/create-understudy.ts'
import type { Waits } from '../../src/engine/faults/delivery.ts'
import { deliver, type ExpressedByFetch } from '../../src/engine/fetch.ts'
import { decodeBody, splitUrl } from '../../src/engine/messages.ts'
import type { UnderstudyOptions } from '../../src/engine/read-options.ts'
import type { Fixture } from '../../src/factories/fixture-type.ts'
import { scenarios } from '../../src/scenarios/index.ts'
import { adminPath } from '../../src/shared/addresses.ts'
import { indexedDbStorage } from '../../src/storage/indexed-db.ts'
import type { CrossedRequest, FromPage, Port, ToPage } from './messages.ts'

/** What of the keeping of the state is said to those who look: that it goes well is not. */
const spoken: ReadonlySet<string> = new Set(['failed', 'left out', 'recovered', 'set aside'])

const inUse =
  'Another tab has this demo open and cannot share it with this one, perhaps in an older version: here it begins anew, and nothing is kept. Close the other tabs, and load this one again.'

type Tell = (told: ToPage) => void

/** The understudy of the demo, which all pages of it ask. */
export class Host {
  readonly #opened: Promise<OpenHost>
  readonly #notes: string[] = []
  readonly #ports = new Set<Port>()

  /** @param base where the demo is. */
  constructor(base: string) {
    this.#opened = this.#open(base)
  }

  /** Answers a page, until it says that it goes away. */
  connect(port: Port): void {
    const leaving = new Map<number, AbortController>()
    this.#ports.add(port)
    const tell: Tell = (told) => port.postMessage(told)
    port.onmessage = ({ data }: MessageEvent<FromPage>) => {
      if (data.kind === 'ask') {
        const { id, request } = data
        const controller = new AbortController()
        leaving.set(id, controller)
        void this.#answer(id, request, tell, controller.signal)
          .catch(() => tell({ kind: 'broken', id }))
          .finally(() => leaving.delete(id))
      } else if (data.kind === 'leave') leaving.get(data.id)?.abort()
      else {
        this.#ports.delete(port)
        for (const controller of leaving.values()) controller.abort()
      }
    }
    for (const text of this.#notes) tell({ kind: 'note', text })
  }

  async #open(base: string): Promise<OpenHost> {
    const fixture = (await (await fetch(new URL('fixture.json', base))).json()) as Fixture
    const options = { fixture, scenarios, clock: 'system', auth: 'login' } as const
    const understudy = (await this.#openKept(base, options)) ?? createUnderstudy(options)
    const waits = understudy.attach({
      name: 'The live demo',
      refuses: {
        reset:
          'its service worker hands on whole connections; truncate cuts the body, drop closes without an answer',
      },
    } satisfies FaceThatExpresses<ExpressedByFetch>)
    const { createAdmin } = await import('../../src/admin/create-admin.ts')
    return { understudy, waits, admin: createAdmin(understudy) }
  }

  /** An understudy with the state that is kept; nothing where it cannot be kept, which is said. */
  async #openKept(base: string, options: UnderstudyOptions): Promise<Understudy | undefined> {
    for (let attempt = 1; ; attempt++) {
      const understudy = createUnderstudy({
        ...options,
        // Another demo may lie beside this one, in the same database.
        storage: indexedDbStorage(`demo at ${new URL(base).pathname}`),
        onStorage: ({ kind, text }) => spoken.has(kind) && this.#note(text),
      })
      try {
        await understudy.ready
        return understudy
      } catch (error) {
        const isInUse = (error as { code?: string }).code === 'STATE_IN_USE'
        // A worker whose last page is gone has two seconds to end, and so has who waits for it.
        if (isInUse && attempt < 3) continue
        this.#note(isInUse ? inUse : 'This browser keeps nothing for this page: a reload begins anew.')
        return undefined
      }
    }
  }

  #note(text: string): void {
    this.#notes.push(text)
    for (const port of this.#ports) port.postMessage({ kind: 'note', text } satisfies ToPage)
  }

  async #answer(id: number, request: CrossedRequest, tell: Tell, signal: AbortSignal): Promise<void> {
    const opened = await this.#opened
    return isForAdmin(request)
      ? askAdmin(opened, id, request, tell, signal)
      : askApi(opened, id, request, tell, signal)
  }
}

interface OpenHost {
  readonly understudy: Understudy
  readonly waits: Waits
  readonly admin: Admin
}

const isForAdmin = ({ url }: CrossedRequest) => url.startsWith(`${adminPath}/`)

async function askApi(
  { understudy, waits }: OpenHost,
  id: number,
  { body, ...request }: CrossedRequest,
  tell: Tell,
  signal: AbortSignal,
): Promise<void> {
  const text = body && decodeBody(new Uint8Array(body))
  const reply = await understudy.dispatch({ ...request, body: text, isNormalized: true })
  const parts = reply && (await deliver(reply, waits, { method: request.method, signal }))
  if (parts === undefined) return tell({ kind: 'broken', id })
  const [whole, { status = 200, headers }] = parts
  const head = { kind: 'head', id, status, headers: headers as Readonly<Record<string, string>> } as const
  if (whole === null || typeof whole === 'string') return tell({ ...head, body: whole })
  tell({ ...head, body: undefined })
  for await (const piece of whole as unknown as AsyncIterable<Uint8Array>) {
    if (signal.aborted) return
    tell({ kind: 'piece', id, bytes: piece as Uint8Array<ArrayBuffer> })
  }
  tell({ kind: 'end', id })
}

async function askAdmin(
  { admin }: OpenHost,
  id: number,
  { method, url, headers: given, body: bytes }: CrossedRequest,
  tell: Tell,
  signal: AbortSignal,
): Promise<void> {
  const { path, search } = splitUrl(url)
  const { status, headers, body } = await admin.answer({
    method,
    path,
    query: new URLSearchParams(search),
    // Whoever has a line to this is a page of the demo.
    headers: { ...given, host: 'localhost' },
    remoteAddress: '127.0.0.1',
    body: bytes && decodeBody(new Uint8Array(bytes)),
  })
  const head = { kind: 'head', id, status, headers } as const
  if (typeof body === 'string') return tell({ ...head, body: status === 204 ? null : body })
  tell({ ...head, body: undefined })
  const encoder = new TextEncoder()
  await new Promise<void>((resolve) => {
    const stop = body({
      write: (text) => tell({ kind: 'piece', id, bytes: encoder.encode(text) }),
      ready: async () => undefined,
      end() {
        tell({ kind: 'end', id })
        resolve()
      },
    })
    signal.addEventListener('abort', () => {
      stop()
      resolve()
    })
    if (signal.aborted) stop()
  })
}
