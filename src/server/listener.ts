import type { IncomingMessage, ServerResponse } from 'node:http'
import type { Face, Understudy } from '../engine/create-understudy.ts'
import type { Delivery, Waits } from '../engine/faults/delivery.ts'
import {
  bodyLimit,
  decodeBody,
  tooLarge,
  type UnderstudyReply,
  type UnderstudyRequest,
} from '../engine/messages.ts'
import { prepareSchemasBy } from '../wire/prepared-schema.ts'
import { send, sendStruck } from './send.ts'

/** Told of each answered request: how long it took, in milliseconds. */
export type Observer = (request: IncomingMessage, reply: UnderstudyReply, milliseconds: number) => void

export interface ListenerOptions {
  readonly observe?: Observer
}

/** A Node request listener that is Express middleware as well: what is not under `/api` goes to `next`. */
export type Listener = (request: IncomingMessage, response: ServerResponse, next: () => void) => void

/** This face: over a socket, everything can be expressed. */
export const httpFace: Face = { name: 'the HTTP server', refuses: {} }

/** How much of a body that is too long is still read away, so that the client gets its answer. */
const drainLimit = bodyLimit * 4

/**
 * Creates the listener that answers from an understudy, with or without Express around it.
 *
 * @example
 * http.createServer((request, response) => listener(request, response, () => response.writeHead(404).end()))
 */
export function createListener(
  understudy: Understudy,
  options: ListenerOptions = {},
  waits: Waits = understudy.attach(httpFace),
): Listener {
  const { observe } = options
  prepareSchemasBy(async () => (await import('./compile-schema.ts')).compile)
  return (request, response, next) => {
    const url = request.url ?? '/'
    const start = observe ? performance.now() : 0
    const answer = (body: UnderstudyRequest['body']) => {
      const reply = understudy.dispatch({
        method: request.method ?? 'GET',
        url,
        headers: request.headers,
        body,
      })
      if (reply === undefined) return next()
      if (reply instanceof Promise) void reply.then(finish)
      else finish(reply)
    }
    const finish = (reply: UnderstudyReply) => {
      if (reply.delivery !== undefined) return deliver(reply, reply.delivery)
      send(response, reply)
      observe?.(request, reply, performance.now() - start)
    }
    const deliver = (reply: UnderstudyReply, delivery: Delivery) => {
      sendStruck(response, reply, delivery, waits).then(
        () => observe?.(request, reply, performance.now() - start),
        () => response.destroy(),
      )
    }
    if (!isApi(url)) return next()
    if (request.method === 'GET' || request.method === 'HEAD') return answer(undefined)
    readText(request, answer)
  }
}

const apiPath = /^(?:[A-Za-z][\w+.-]*:\/\/[^/?#]*)?\/api(?:[/?#]|$)/

/** Tells whether a request is ours, before its body is read. */
function isApi(url: string): boolean {
  return apiPath.test(url)
}

export function readText(request: IncomingMessage, done: (body: UnderstudyRequest['body']) => void): void {
  const parsed = (request as { body?: unknown }).body
  if (parsed !== undefined && request.readableEnded) {
    // Somebody's middleware has read the body before us.
    done(
      Buffer.isBuffer(parsed)
        ? decodeBody(parsed)
        : typeof parsed === 'string'
          ? parsed
          : JSON.stringify(parsed),
    )
    return
  }
  const chunks: Buffer[] = []
  let length = 0
  request.on('data', (chunk: Buffer) => {
    length += chunk.length
    if (length <= bodyLimit) chunks.push(chunk)
    else chunks.length = 0
    if (length > drainLimit) request.destroy()
  })
  request.on('end', () => done(length > bodyLimit ? tooLarge : decodeBody(Buffer.concat(chunks))))
}
