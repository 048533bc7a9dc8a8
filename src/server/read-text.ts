import type { IncomingMessage } from 'node:http'
import { types } from 'node:util'
import { bodyLimit, decodeBody, tooLarge } from '../engine/body.ts'
import type { UnderstudyRequest } from '../engine/messages.ts'
import { quote } from '../shared/errors.ts'

/**
 * Reads the body of a request as text, however long it is: what is more than the limit is read away, so that the client
 * gets its answer. How long a client may take is up to the server.
 */
export function readText(
  request: IncomingMessage,
  done: (body: UnderstudyRequest['body']) => void,
  maximum = bodyLimit,
): void {
  // Somebody's middleware may have read the body before us, and has kept it or not.
  if (request.readableEnded || request.readableDidRead || request.destroyed) {
    done(keptBody(request))
    return
  }
  const chunks: Buffer[] = []
  let length = 0
  request.on('data', (piece: Buffer | string) => {
    // Texts, where somebody has set an encoding.
    const chunk = typeof piece === 'string' ? Buffer.from(piece, request.readableEncoding ?? 'utf8') : piece
    length += chunk.length
    if (length <= maximum) chunks.push(chunk)
    else chunks.length = 0
  })
  request.on('end', () => {
    if (length > maximum) return done(tooLarge)
    const encoding = length > 0 ? request.headers['content-encoding'] : undefined
    const refused = encoding === undefined ? undefined : refuseEncoding(encoding)
    done(refused ?? decodeBody(Buffer.concat(chunks), maximum))
  })
  // Somebody may have had it wait.
  request.resume()
}

/** Stands for a body that somebody has read before, and not kept. */
const readBefore = Symbol(
  'The body was read before it came here, and not kept: mount this first, or have it kept in request.body, as express.json() does.',
)

/** Stands for what somebody has made of a body, and JSON cannot say. */
const notJson = Symbol(
  'The body was read before it came here, and made into what is no JSON, such as a BigInt or a circle: mount this first.',
)

/** Stands for a body that is compressed: what is small may become any size. */
function refuseEncoding(encoding: string): UnderstudyRequest['body'] {
  if (['', 'identity'].includes(encoding.trim().toLowerCase())) return undefined
  return Symbol(`Content-Encoding: expected none; found ${quote(encoding)}.`)
}

/** What is known of a body that is gone: that there was none, or that it cannot be told. */
function withoutBody({ headers }: IncomingMessage): UnderstudyRequest['body'] {
  const isEmpty = headers['transfer-encoding'] === undefined && !(Number(headers['content-length']) > 0)
  return isEmpty ? '' : readBefore
}

/** What somebody has made of a body who has read it before. */
function keptBody(
  request: IncomingMessage & { body?: unknown; rawBody?: unknown },
): UnderstudyRequest['body'] {
  try {
    const parsed = request.body ?? request.rawBody
    return parsed === undefined ? withoutBody(request) : textOf(parsed)
  } catch {
    // It may be read by code of somebody's own.
    return notJson
  }
}

function textOf(parsed: unknown): UnderstudyRequest['body'] {
  if (typeof parsed === 'string') return parsed
  if (ArrayBuffer.isView(parsed))
    return decodeBody(new Uint8Array(parsed.buffer, parsed.byteOffset, parsed.byteLength))
  if (types.isArrayBuffer(parsed)) return decodeBody(new Uint8Array(parsed))
  const kind = Object.prototype.toString.call(parsed).slice('[object '.length, -1)
  // Maps, forms, blobs: of what they hold, JSON would say nothing.
  if (!sayable.has(kind)) return notJson
  return JSON.stringify(parsed) ?? notJson
}

/** The kinds of values of which JSON says all, as every realm calls them. */
const sayable = new Set(['Object', 'Array', 'String', 'Number', 'Boolean', 'Null'])
