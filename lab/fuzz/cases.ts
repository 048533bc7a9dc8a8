/** A text whose characters are bytes: what goes over the wire, exactly. */
export type Bytes = string

/** A body, or a part of something, that may be too long to write down. */
export interface Repeated {
  readonly head: Bytes
  readonly unit: Bytes
  readonly times: number
  readonly tail: Bytes
}

/** A request that every HTTP parser takes, whatever nonsense it carries. */
export interface WellFormed {
  readonly kind: 'request'
  readonly method: string
  /** The target of the request line. */
  readonly target: Bytes
  readonly headers: readonly (readonly [name: string, value: Bytes])[]
  readonly body?: Repeated | undefined
  /** Whether the body goes in chunks instead of with its length. */
  readonly chunked: boolean
}

/** Bytes on a connection of their own, which need not be HTTP at all. */
export interface Broken {
  readonly kind: 'bytes'
  readonly what: string
  /** Written one after the other, in packets of their own. */
  readonly pieces: readonly Repeated[]
  /** What the client does when it has written: end its side, or tear the connection down. */
  readonly ending: 'end' | 'destroy'
  /** How many replies have to come, where that is known. */
  readonly replies?: number | undefined
}

export type FuzzCase = WellFormed | Broken

export const limits = {
  /** Up to here a body is read away, so that its sender gets an answer; `src/server/listener.ts`. */
  drained: 40 * 1024 * 1024,
  /** What fits into the buffers of a connection without being read. */
  unread: 64 * 1024,
}

/** The bytes of a text in UTF-8. */
export function utf8(text: string): Bytes {
  return Buffer.from(text, 'utf8').toString('latin1')
}

export function plain(head: Bytes): Repeated {
  return { head, unit: '', times: 0, tail: '' }
}

export function expand({ head, unit, times, tail }: Repeated): Buffer {
  return Buffer.from(head + unit.repeat(times) + tail, 'latin1')
}

export function lengthOf({ head, unit, times, tail }: Repeated): number {
  return head.length + unit.length * times + tail.length
}

/** The request as it goes over the wire. */
export function toBytes({ method, target, headers, body, chunked }: WellFormed): Buffer {
  const framing =
    body === undefined
      ? ''
      : chunked
        ? 'Transfer-Encoding: chunked\r\n'
        : `Content-Length: ${lengthOf(body)}\r\n`
  const fields = headers.map(([name, value]) => `${name}: ${value}\r\n`).join('')
  const head = Buffer.from(
    `${method} ${target} HTTP/1.1\r\nHost: localhost\r\n${fields}${framing}\r\n`,
    'latin1',
  )
  if (body === undefined) return head
  const bytes = expand(body)
  return Buffer.concat(chunked ? [head, ...toChunks(bytes)] : [head, bytes])
}

function toChunks(bytes: Buffer): Buffer[] {
  const size = Math.max(1, Math.ceil(bytes.length / 3))
  const chunks: Buffer[] = []
  for (let start = 0; start < bytes.length; start += size) {
    const chunk = bytes.subarray(start, start + size)
    chunks.push(Buffer.from(`${chunk.length.toString(16)}\r\n`), chunk, Buffer.from('\r\n'))
  }
  return [...chunks, Buffer.from('0\r\n\r\n')]
}

/** Whether a target leads to the API, and so has to be answered with an envelope. */
export function isApi(target: Bytes): boolean {
  return /^(?:[A-Za-z][\w+.-]*:\/\/[^/?#]*)?\/api(?:[/?#]|$)/.test(target)
}

/** A shell command that sends a case, to port 6789. */
export function toReproduction(sent: FuzzCase): string {
  const parts = sent.kind === 'request' ? [plain(toBytes(shorten(sent)).toString('latin1'))] : sent.pieces
  const printed = parts.map(
    ({ head, unit, times, tail }) =>
      `printf '${printable(head)}'${times === 0 ? '' : `; yes '${printable(unit)}' | head -n ${times} | tr -d '\\n'`}${tail === '' ? '' : `; printf '${printable(tail)}'`}`,
  )
  const note =
    sent.kind === 'request' && sent.body !== undefined && lengthOf(sent.body) > shown
      ? `\n# the body is ${printable(sent.body.head.slice(0, shown))} + ${sent.body.times} x ${printable(sent.body.unit.slice(0, shown))} + ${printable(sent.body.tail.slice(0, shown))}`
      : ''
  return `(${printed.join('; sleep 0.1; ')}; sleep 1) | nc 127.0.0.1 6789${note}`
}

const shown = 4_000

function shorten(sent: WellFormed): WellFormed {
  return sent.body !== undefined && lengthOf(sent.body) > shown ? { ...sent, body: plain('...') } : sent
}

function printable(bytes: Bytes): string {
  return bytes.replaceAll(/[^ -~]|['%\\]/g, (character) => {
    if (character === '\r') return '\\r'
    if (character === '\n') return '\\n'
    if (character === '%') return '%%'
    return `\\${character.charCodeAt(0).toString(8).padStart(3, '0')}`
  })
}
