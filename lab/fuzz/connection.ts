import { connect, type Socket } from 'node:net'
import { type Broken, expand, toBytes, type WellFormed } from './cases.ts'

/** One reply as it came over the wire. */
export interface RawReply {
  readonly status: number
  /** Names in lower case. */
  readonly headers: Readonly<Record<string, string>>
  readonly body: string
  /** Everything of it, to look for what must not be there. */
  readonly text: string
}

/** What came back: replies in order, how it ended, and what is left that is no HTTP. */
export interface ConnectionOutcome {
  readonly replies: readonly RawReply[]
  readonly ending: 'answered' | 'closed' | 'hangs' | 'refused'
  readonly rest: string
}

const patience = 15_000

/** Reads one reply from the start of what has come; `undefined` where it is not whole yet. */
function readReply(bytes: Buffer, isHead: boolean): { reply: RawReply; length: number } | undefined {
  const end = bytes.indexOf('\r\n\r\n')
  if (end === -1) return undefined
  const [line = '', ...fields] = bytes.toString('latin1', 0, end).split('\r\n')
  const [, code] = /^HTTP\/1\.1 (\d{3}) /.exec(line) ?? []
  if (code === undefined) return undefined
  const status = Number(code)
  const headers: Record<string, string> = {}
  for (const field of fields) {
    const colon = field.indexOf(':')
    headers[field.slice(0, colon).toLowerCase()] = field.slice(colon + 1).trim()
  }
  const start = end + 4
  const finish = (body: string, length: number) => ({
    reply: { status, headers, body, text: bytes.toString('utf8', 0, length) },
    length,
  })
  if (isHead || status < 200 || status === 204 || status === 304) return finish('', start)
  if (headers['transfer-encoding'] === 'chunked') {
    const parts: Buffer[] = []
    for (let at = start; ; ) {
      const lineEnd = bytes.indexOf('\r\n', at)
      if (lineEnd === -1) return undefined
      const size = Number.parseInt(bytes.toString('latin1', at, lineEnd), 16)
      if (bytes.length < lineEnd + size + 4) return undefined
      parts.push(bytes.subarray(lineEnd + 2, lineEnd + 2 + size))
      at = lineEnd + size + 4
      if (size === 0) return finish(Buffer.concat(parts).toString('utf8'), at)
    }
  }
  // Without a length the body is what comes until the connection closes: for these servers, none.
  const length = start + Number(headers['content-length'] ?? 0)
  return bytes.length < length ? undefined : finish(bytes.toString('utf8', start, length), length)
}

/** A connection that is kept, for one request after the other. */
export class Connection {
  readonly #port: number
  #socket: Socket | undefined
  #received: Buffer = Buffer.alloc(0)
  #wake: () => void = () => {}
  #isClosed = true

  constructor(port: number) {
    this.#port = port
  }

  /** Sends a request and waits for its reply. */
  async send(sent: WellFormed): Promise<ConnectionOutcome> {
    const socket = this.#isClosed ? await this.#open() : this.#socket!
    if (socket === undefined) return { replies: [], ending: 'refused', rest: '' }
    const deadline = setTimeout(() => this.#wake(), patience)
    const end = performance.now() + patience - 1
    socket.write(toBytes(sent))
    for (;;) {
      const read = readReply(this.#received, sent.method === 'HEAD')
      if (read !== undefined) {
        this.#received = this.#received.subarray(read.length)
        if (read.reply.status === 100) continue
        clearTimeout(deadline)
        const rest = this.#received.toString('latin1')
        if (rest !== '' || read.reply.headers.connection === 'close') this.close()
        return { replies: [read.reply], ending: 'answered', rest }
      }
      const hangs = performance.now() >= end
      if (this.#isClosed || hangs) {
        clearTimeout(deadline)
        const rest = this.#received.toString('latin1')
        this.close()
        return { replies: [], ending: hangs ? 'hangs' : 'closed', rest }
      }
      await new Promise<void>((resolve) => {
        this.#wake = resolve
      })
    }
  }

  close(): void {
    this.#isClosed = true
    this.#received = Buffer.alloc(0)
    this.#socket?.destroy()
  }

  async #open(): Promise<Socket | undefined> {
    this.#socket?.destroy()
    this.#received = Buffer.alloc(0)
    const socket = connect(this.#port, '127.0.0.1').setNoDelay(true)
    const isOpen = await new Promise<boolean>((resolve) => {
      socket.once('connect', () => resolve(true)).once('error', () => resolve(false))
    })
    if (!isOpen) return undefined
    this.#socket = socket
    this.#isClosed = false
    socket.on('data', (chunk: Buffer) => {
      if (socket !== this.#socket) return
      this.#received = this.#received.length === 0 ? chunk : Buffer.concat([this.#received, chunk])
      this.#wake()
    })
    const closed = () => {
      if (socket !== this.#socket) return
      this.#isClosed = true
      this.#wake()
    }
    socket.on('error', () => {}).on('close', closed)
    // Where the server ends its side, nothing more will come.
    socket.on('end', closed)
    return socket
  }
}

/** Sends bytes on a connection of their own and reads until it closes. */
export function sendBroken(
  port: number,
  { pieces, ending, replies: expected }: Broken,
): Promise<ConnectionOutcome> {
  return new Promise((resolve) => {
    let received = Buffer.alloc(0)
    const socket = connect({ port, host: '127.0.0.1', allowHalfOpen: true }).setNoDelay(true)
    const finish = (how: ConnectionOutcome['ending']) => {
      clearTimeout(deadline)
      socket.destroy()
      const replies: RawReply[] = []
      let rest = received
      for (let read = readReply(rest, false); read !== undefined; read = readReply(rest, false)) {
        rest = rest.subarray(read.length)
        replies.push(read.reply)
      }
      resolve({
        replies,
        ending: replies.length > 0 && how === 'closed' ? 'answered' : how,
        rest: rest.toString('latin1'),
      })
    }
    const deadline = setTimeout(() => finish('hangs'), patience)
    socket.on('data', (chunk: Buffer) => {
      received = Buffer.concat([received, chunk])
      if (expected !== undefined && countReplies(received) >= expected) socket.end()
    })
    let isConnected = false
    socket.on('error', () => finish(isConnected ? 'closed' : 'refused'))
    socket.on('end', () => finish('closed')).on('close', () => finish('closed'))
    socket.on('connect', async () => {
      isConnected = true
      for (const [index, piece] of pieces.entries()) {
        if (index > 0) await new Promise((wake) => setTimeout(wake, 1))
        if (socket.destroyed) return
        socket.write(expand(piece))
      }
      if (ending === 'destroy') setTimeout(() => finish('closed'), 1)
      else if (expected === undefined) socket.end()
    })
  })
}

function countReplies(received: Buffer): number {
  let count = 0
  let rest = received
  for (let read = readReply(rest, false); read !== undefined; read = readReply(rest, false)) {
    rest = rest.subarray(read.length)
    count++
  }
  return count
}
