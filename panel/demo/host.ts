import type { Admin } from '../../src/admin/create-admin.ts'
import { decodeBody } from '../../src/engine/body.ts'
import { createUnderstudy, type Understudy } from '../../src/engine/create-understudy.ts'
import type { Waits } from '../../src/engine/faults/delivery.ts'
import { deliver } from '../../src/engine/fetch.ts'
import type { UnderstudyOptions } from '../../src/engine/read-options.ts'
import type { Fixture } from '../../src/factories/fixture-type.ts'
import { scenarios } from '../../src/scenarios/index.ts'
import { adminPath } from '../../src/shared/addresses.ts'
import { splitUrl } from '../../src/shared/http.ts'
import { indexedDbStorage } from '../../src/storage/indexed-db.ts'
import type { CrossedRequest, Port, ReplyMessage } from './messages.ts'

/** The events of storage that pages show. */
const shown: ReadonlySet<string> = new Set(['failed', 'left out', 'recovered', 'set aside'])

const inUse =
  'Another tab has this demo open, perhaps in an older version. This tab starts with the first state and stores nothing. Close the other tabs and reload this one.'

type Send = (message: ReplyMessage) => void

/** The mock of the demo, which all of its pages share. */
export class Host {
  readonly #opened: Promise<OpenHost>
  readonly #notes: string[] = []
  readonly #ports = new Set<Port>()

  /** @param base where the demo is. */
  constructor(base: string) {
    this.#opened = this.#open(base)
  }

  /** Answers a page, until it closes. */
  connect(port: Port): void {
    const running = new Set<AbortController>()
    this.#ports.add(port)
    port.onmessage = ({ data, ports: [reply] }: MessageEvent<CrossedRequest>) => {
      if (reply === undefined) {
        this.#ports.delete(port)
        for (const controller of running) controller.abort()
        return
      }
      const controller = new AbortController()
      running.add(controller)
      reply.onmessage = () => controller.abort()
      const send: Send = (message) => reply.postMessage(message)
      void this.#answer(data, send, controller.signal)
        .catch(() => send({ kind: 'broken' }))
        .finally(() => running.delete(controller))
    }
    for (const text of this.#notes) port.postMessage(text)
  }

  async #open(base: string): Promise<OpenHost> {
    const fixture: Fixture = await (await fetch(new URL('fixture.json', base))).json()
    const options = { fixture, scenarios, clock: 'system', auth: 'login' } as const
    const understudy = (await this.#openStored(base, options)) ?? createUnderstudy(options)
    const waits = understudy.attach({
      name: 'The live demo',
      refuses: {
        reset:
          'its service worker cannot reset a connection; truncate cuts the body, drop closes without an answer',
      },
    })
    const { createAdmin } = await import('../../src/admin/create-admin.ts')
    return { understudy, waits, admin: createAdmin(understudy) }
  }

  /** Creates the mock with the stored state; returns nothing, and shows a note, if the browser cannot store it. */
  async #openStored(base: string, options: UnderstudyOptions): Promise<Understudy | undefined> {
    for (let attempt = 1; ; attempt++) {
      const understudy = createUnderstudy({
        ...options,
        // Several demos on one host share a database.
        storage: indexedDbStorage(`demo at ${new URL(base).pathname}`),
        onStorage: ({ kind, text }) => shown.has(kind) && this.#note(text),
      })
      try {
        await understudy.ready
        return understudy
      } catch (error) {
        const isInUse = Object(error).code === 'STATE_IN_USE'
        // The worker of the last closed page has two seconds to end, so the next one waits as long.
        if (isInUse && attempt < 3) continue
        this.#note(
          isInUse
            ? inUse
            : 'This browser stores nothing for this page. A reload starts with the first state.',
        )
        return undefined
      }
    }
  }

  #note(text: string): void {
    this.#notes.push(text)
    for (const port of this.#ports) port.postMessage(text)
  }

  async #answer(request: CrossedRequest, send: Send, signal: AbortSignal): Promise<void> {
    const answer = request.url.startsWith(`${adminPath}/`) ? answerAdmin : answerApi
    const response = await answer(await this.#opened, request, signal)
    if (response === undefined) return send({ kind: 'broken' })
    const { status, headers, body } = response
    send({ kind: 'head', status, headers: Object.fromEntries(headers), hasBody: body !== null })
    const reader = body?.getReader()
    signal.addEventListener('abort', () => void reader?.cancel())
    if (signal.aborted) void reader?.cancel()
    for (;;) {
      const piece = await reader?.read()
      if (piece?.value === undefined) return send({ kind: 'end' })
      send({ kind: 'piece', bytes: piece.value })
    }
  }
}

interface OpenHost {
  readonly understudy: Understudy
  readonly waits: Waits
  readonly admin: Admin
}

/** Answers like the API; returns nothing if a fault drops the connection. */
async function answerApi(
  { understudy, waits }: OpenHost,
  { body, ...request }: CrossedRequest,
  signal: AbortSignal,
): Promise<Response | undefined> {
  const text = body && decodeBody(new Uint8Array(body))
  const reply = await understudy.dispatch({ ...request, body: text, isNormalized: true })
  const parts = reply && (await deliver(reply, waits, { method: request.method, signal }))
  return parts && new Response(...parts)
}

async function answerAdmin(
  { admin }: OpenHost,
  { method, url, headers: given, body: bytes }: CrossedRequest,
): Promise<Response> {
  const { path, search } = splitUrl(url)
  const { status, headers, body } = await admin.answer({
    method,
    path,
    query: new URLSearchParams(search),
    // Only pages of the demo can connect.
    headers: { ...given, host: 'localhost' },
    remoteAddress: '127.0.0.1',
    body: bytes && decodeBody(new Uint8Array(bytes)),
  })
  if (typeof body === 'string') return new Response(status === 204 ? null : body, { status, headers })
  const encoder = new TextEncoder()
  let stop: (() => void) | undefined
  const stream = new ReadableStream({
    start(controller) {
      stop = body({
        write: (text) => controller.enqueue(encoder.encode(text)),
        ready: async () => undefined,
        end: () => controller.close(),
      })
    },
    cancel: () => stop?.(),
  })
  return new Response(stream, { status, headers })
}
