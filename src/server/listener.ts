import type { IncomingMessage, ServerResponse } from 'node:http'
import type { Face, Understudy } from '../engine/create-understudy.ts'
import type { Delivery, Waits } from '../engine/faults/delivery.ts'
import type { UnderstudyReply, UnderstudyRequest } from '../engine/messages.ts'
import { isPromise } from '../wire/built-ins.ts'
import { prepareSchemasBy } from '../wire/prepared-schema.ts'
import { realTime } from '../wire/real-time.ts'
import { readText } from './read-text.ts'
import { failTo, send, sendStruck } from './send.ts'

/** Told of each answered request: how long it took, in milliseconds. */
export type Observer = (request: IncomingMessage, reply: UnderstudyReply, milliseconds: number) => void

export interface ListenerOptions {
  readonly observe?: Observer
}

/** A Node request listener that is Express middleware as well: what is not under `/api` goes to `next`. */
export type Listener = (request: IncomingMessage, response: ServerResponse, next: () => void) => void

/** This face: over a socket, everything can be expressed. */
export const httpFace: Face = { name: 'the HTTP server', refuses: {} }

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
    const start = observe ? realTime() : 0
    const answer = (body: UnderstudyRequest['body']) => {
      const reply = understudy.dispatch({
        method: request.method ?? 'GET',
        url,
        headers: request.headers,
        body,
        isNormalized: true,
        inSlices: true,
      })
      if (reply === undefined) return next()
      if (isPromise(reply)) void reply.then(finish).catch((error) => failTo(response, error))
      else finish(reply)
    }
    const finish = (reply: UnderstudyReply) => {
      if (reply.delivery !== undefined) return deliver(reply, reply.delivery)
      send(response, reply)
      observe?.(request, reply, realTime() - start)
    }
    const deliver = (reply: UnderstudyReply, delivery: Delivery) => {
      sendStruck(response, reply, delivery, waits).then(
        () => observe?.(request, reply, realTime() - start),
        (error) => failTo(response, error),
      )
    }
    const failing = (run: () => void) => {
      try {
        run()
      } catch (error) {
        failTo(response, error)
      }
    }
    if (!isApi(url)) return next()
    if (request.method === 'GET' || request.method === 'HEAD') return failing(() => answer(undefined))
    failing(() => readText(request, (body) => failing(() => answer(body))))
  }
}

const apiPath = /^(?:[A-Za-z][\w+.-]*:\/\/[^/?#]*)?\/api(?:[/?#]|$)/

/** Tells whether a request is ours, before its body is read. */
function isApi(url: string): boolean {
  return apiPath.test(url)
}
