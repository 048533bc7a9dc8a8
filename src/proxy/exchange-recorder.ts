import type { IncomingMessage } from 'node:http'
import { setImmediate as nextTask, setTimeout as sleep } from 'node:timers/promises'
import { promisify } from 'node:util'
import { brotliDecompress, gunzip, inflate } from 'node:zlib'
import type { RecordedExchange } from '../traffic/exchange.ts'
import { BodyCopy, MemoryBudget } from './body-copy.ts'
import { hasBody } from './upstream.ts'

/** Maximum number of complete exchanges that wait for an earlier one. */
const mostWaiting = 2_000
/** Delay in milliseconds before reading complete exchanges, so that it does not slow down the next requests. */
const pause = 100
/** Milliseconds that reading may block. */
const maxBlocking = 1
/** Maximum size of a decompressed body, in bytes. */
const mostDecoded = 16 * 1024 * 1024

const decoders: Readonly<Record<string, (bytes: Buffer, options: object) => Promise<Buffer>>> = {
  gzip: promisify(gunzip),
  deflate: promisify(inflate),
  br: promisify(brotliDecompress),
}

export interface RecorderCounts {
  /** Number of delivered exchanges. */
  exchanges: number
  /** Number of bodies that were too large for the recording. */
  omittedBodies: number
}

/** An exchange that the recorder has not delivered yet. */
export interface OpenExchange {
  readonly position: number
  readonly startedAt: number
  endedAt: number
  readonly request: IncomingMessage
  readonly sent: BodyCopy | undefined
  /** The reply; `undefined` while there is none, and if it did not arrive as a whole. */
  incoming: IncomingMessage | undefined
  received: BodyCopy | undefined
  /** The recorded exchange; `undefined` until the recorder has read it. */
  exchange: RecordedExchange | undefined
  /** Reserved bytes. */
  size: number
}

/** Records the exchanges of a proxy in bounded memory, and delivers them in the order of their requests. */
export class ExchangeRecorder {
  readonly counts: RecorderCounts = { exchanges: 0, omittedBodies: 0 }
  readonly #base: string
  readonly #onExchange: (exchange: RecordedExchange) => Promise<void>
  readonly #budget = new MemoryBudget()
  readonly #ended: OpenExchange[] = []
  #reading: Promise<void> | undefined
  readonly #open: OpenExchange[] = []
  #complete = 0
  #position = 0

  constructor(target: URL, onExchange: (exchange: RecordedExchange) => Promise<void>) {
    this.#base = target.href.replace(/\/$/, '')
    this.#onExchange = onExchange
  }

  /** Begins to record the exchange of a request. */
  begin(request: IncomingMessage): OpenExchange {
    const open: OpenExchange = {
      position: ++this.#position,
      startedAt: now(),
      endedAt: 0,
      request,
      sent: hasBody(request) ? new BodyCopy(request, this.#budget) : undefined,
      incoming: undefined,
      received: undefined,
      exchange: undefined,
      size: 0,
    }
    this.#open.push(open)
    return open
  }

  /** Records the reply of the target. */
  answer(open: OpenExchange, incoming: IncomingMessage): void {
    open.incoming = incoming
    open.received = new BodyCopy(incoming, this.#budget)
  }

  /** Records the end; `isComplete` is false if the reply did not arrive as a whole. */
  end(open: OpenExchange, isComplete: boolean): void {
    open.endedAt = now()
    if (!isComplete) open.incoming = undefined
    this.#ended.push(open)
    this.#reading ??= sleep(pause).then(() => this.#readEnded())
  }

  /** Resolves after delivering every complete exchange. */
  async flush(): Promise<void> {
    await this.#reading
    await this.#deliver(0)
  }

  /** Reads the complete exchanges, a few at a time, because requests have priority. */
  async #readEnded(): Promise<void> {
    let pauseAt = now() + maxBlocking
    for (let open = this.#ended.shift(); open !== undefined; open = this.#ended.shift()) {
      await this.#read(open)
      this.#complete++
      await this.#deliver(mostWaiting)
      if (now() < pauseAt) continue
      await nextTask()
      pauseAt = now() + maxBlocking
    }
    this.#reading = undefined
  }

  /** Delivers complete exchanges in order, or out of order if more than `most` of them wait for an earlier one. */
  async #deliver(most: number): Promise<void> {
    while (this.#complete > 0) {
      const isLate = this.#open[0]?.exchange === undefined
      if (isLate && this.#complete <= most) return
      const index = isLate ? this.#open.findIndex(({ exchange }) => exchange !== undefined) : 0
      const [first] = this.#open.splice(index, 1)
      if (first?.exchange === undefined) return
      this.#complete--
      this.counts.exchanges++
      await this.#onExchange(first.exchange)
      this.#budget.release(first.size)
    }
  }

  async #read(open: OpenExchange): Promise<void> {
    const { position, startedAt, endedAt, request, sent, incoming, received } = open
    open.exchange = {
      source: 'proxy',
      world: undefined,
      position,
      client: 'proxy',
      startedAt,
      milliseconds: endedAt - startedAt,
      isOrdered: false,
      request: {
        method: request.method ?? 'GET',
        url: `${this.#base}${request.url}`,
        headers: headersOf(request.rawHeaders),
        body: (sent && (await this.#textOf(request, sent, open))) || undefined,
      },
      reply: incoming &&
        received && {
          status: incoming.statusCode ?? 0,
          headers: headersOf(incoming.rawHeaders),
          body: await this.#textOf(incoming, received, open),
        },
    }
    open.size += (sent?.size ?? 0) + (received?.size ?? 0)
  }

  async #textOf(
    { headers }: IncomingMessage,
    body: BodyCopy,
    open: OpenExchange,
  ): Promise<string | undefined> {
    const bytes = body.take()
    if (bytes === undefined) this.counts.omittedBodies++
    if (bytes === undefined) return undefined
    const encoding = headers['content-encoding'] ?? 'identity'
    if (encoding === 'identity' || bytes.length === 0) return bytes.toString()
    const decoded = await decoders[encoding]?.(bytes, { maxOutputLength: mostDecoded }).catch(() => undefined)
    if (decoded === undefined || !this.#budget.reserve(decoded.length)) {
      this.counts.omittedBodies++
      return undefined
    }
    open.size += decoded.length
    return decoded.toString()
  }
}

const { timeOrigin } = performance

/** Milliseconds since the epoch, with fractions. */
function now(): number {
  return timeOrigin + performance.now()
}

function headersOf(lines: readonly string[]): Record<string, string> {
  const headers = new Map<string, string>()
  for (let index = 0; index < lines.length; index += 2) {
    const name = lines[index]?.toLowerCase() ?? ''
    const before = headers.get(name)
    const value = lines[index + 1] ?? ''
    headers.set(name, before === undefined ? value : `${before}, ${value}`)
  }
  return Object.fromEntries(headers)
}
