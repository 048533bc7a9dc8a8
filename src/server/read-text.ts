import type { IncomingMessage } from 'node:http'
import { types } from 'node:util'
import { decodeBody, tooLarge } from '../engine/body.ts'
import type { UnderstudyRequest } from '../engine/messages.ts'
import { quote } from '../shared/errors.ts'
import * as limits from '../shared/limits.ts'

/** Bytes of large bodies that clients of the API have not sent completely. */
let largeBytes = 0
/** Bytes of a body that is always accepted, and not counted. */
const smallBody = 65_536
const tooManyBodies = Symbol('Too many large bodies arrive at once. Send the request again.')

/**
 * Reads the body of a request as text. Reads and drops data over the limit, so that the client receives its reply. The
 * server limits how long a client may take.
 */
export function readText(
  request: IncomingMessage,
  done: (body: UnderstudyRequest['body']) => void,
  maximum: number = limits.body,
): void {
  // Other middleware may have read the body already.
  if (request.readableEnded || request.readableDidRead || request.destroyed) {
    done(parsedBody(request))
    return
  }
  const chunks: Buffer[] = []
  let length = 0
  let heldBytes = 0
  let refused: symbol | undefined
  const release = () => {
    largeBytes -= heldBytes
    heldBytes = 0
  }
  request.on('data', (piece: Buffer | string) => {
    // Texts, if other code has set an encoding.
    const chunk = typeof piece === 'string' ? Buffer.from(piece, request.readableEncoding ?? 'utf8') : piece
    length += chunk.length
    if (length > maximum) refused = tooLarge
    // Only the admin API receives bodies of this size, and its users are trusted.
    else if (refused === undefined && maximum === limits.body && length > smallBody) {
      const more = heldBytes === 0 ? length : chunk.length
      if (heldBytes === 0) request.once('close', release)
      heldBytes += more
      largeBytes += more
      if (largeBytes > limits.waitingBodies) refused = tooManyBodies
    }
    if (refused === undefined) return void chunks.push(chunk)
    chunks.length = 0
    release()
  })
  request.on('end', () => {
    const whole = Buffer.concat(chunks)
    if (heldBytes > 0) release()
    const encoding = length > 0 ? request.headers['content-encoding'] : undefined
    if (encoding !== undefined) refused ??= refuseEncoding(encoding)
    done(refused ?? decodeBody(whole, maximum))
  })
  // Other code may have paused it.
  request.resume()
}

/** Marks a body that other code has read, so that it is not available. */
const readBefore = Symbol(
  'Another handler has read the body. Mount this handler first, or store the body in request.body, as express.json() does.',
)

/** Marks a parsed body that JSON cannot express. */
const notJson = Symbol(
  'Another handler has replaced the body by a value that JSON cannot express, such as a BigInt or a circular reference. Mount this handler first.',
)

/** Marks a compressed body, which may decompress to any size. */
function refuseEncoding(encoding: string): symbol | undefined {
  if (['', 'identity'].includes(encoding.trim().toLowerCase())) return undefined
  return Symbol(`Content-Encoding: expected none; found ${quote(encoding)}.`)
}

/** Returns the marker for an unavailable body: none, or unknown. */
function withoutBody({ headers }: IncomingMessage): UnderstudyRequest['body'] {
  const isEmpty = headers['transfer-encoding'] === undefined && !(Number(headers['content-length']) > 0)
  return isEmpty ? '' : readBefore
}

/** Returns the body that other middleware has parsed. */
function parsedBody(
  request: IncomingMessage & { body?: unknown; rawBody?: unknown },
): UnderstudyRequest['body'] {
  try {
    const parsed = request.body ?? request.rawBody
    return parsed === undefined ? withoutBody(request) : textOf(parsed)
  } catch {
    // Its accessors may be foreign code that throws.
    return notJson
  }
}

function textOf(parsed: unknown): UnderstudyRequest['body'] {
  if (typeof parsed === 'string') return parsed
  if (ArrayBuffer.isView(parsed))
    return decodeBody(new Uint8Array(parsed.buffer, parsed.byteOffset, parsed.byteLength))
  if (types.isArrayBuffer(parsed)) return decodeBody(new Uint8Array(parsed))
  const kind = Object.prototype.toString.call(parsed).slice('[object '.length, -1)
  // JSON omits the content of maps, forms and blobs.
  if (!jsonKinds.has(kind)) return notJson
  return JSON.stringify(parsed) ?? notJson
}

/** The types of values that JSON can express, as named in every realm. */
const jsonKinds = new Set(['Object', 'Array', 'String', 'Number', 'Boolean', 'Null'])
