import type { IncomingMessage, ServerResponse } from 'node:http'
import type { FaceThatExpresses, Understudy } from '../engine/create-understudy.ts'
import type { Delivery, Waits } from '../engine/faults/delivery.ts'
import type { RefusableEffect } from '../engine/faults/fault-kinds.ts'
import type { UnderstudyReply, UnderstudyRequest } from '../engine/messages.ts'
import { isPromise } from '../shared/built-ins.ts'
import { isReadMethod } from '../shared/http-method.ts'
import { realTime } from '../shared/real-time.ts'
import { readText } from './read-text.ts'
import { answerInOrder } from './request-pipelining.ts'
import { type End, failTo, send, sendStruck } from './send.ts'

/** Told of each answered request: how long it took, in milliseconds. */
export type Observer = (request: IncomingMessage, reply: UnderstudyReply, milliseconds: number) => void

export interface ApiListenerOptions {
  /** Told of each answered request, with its reply and how many milliseconds it took. */
  readonly observe?: Observer
}

/** A Node request listener that is Express middleware as well: what is not under `/api` goes to `next`. */
export type Listener = (request: IncomingMessage, response: ServerResponse, next: () => void) => void

/** This face: over a socket, everything can be expressed. */
export const httpFace: FaceThatExpresses<RefusableEffect> = { name: 'the HTTP server', refuses: {} }

/** Creates the listener that answers from an understudy what is under `/api`. */
export function createApiListener(
  understudy: Understudy,
  options: ApiListenerOptions,
  waits: Waits,
  end?: End,
): Listener {
  const { observe } = options
  // The fast path makes no function per request, but for the one that waits for a body.
  const answer = (pending: Pending, body: UnderstudyRequest['body']) => {
    const { request, response, url, next } = pending
    try {
      const { method = 'GET', headers } = request
      const reply = understudy.dispatch({ method, url, headers, body, isNormalized: true })
      if (reply === undefined) next()
      else if (isPromise(reply)) finishLater(pending, reply)
      else finish(pending, reply)
    } catch (error) {
      failTo(response, error)
    }
  }
  const finish = (pending: Pending, reply: UnderstudyReply) => {
    if (reply.delivery !== undefined) return deliver(pending, reply, reply.delivery)
    send(pending.response, reply, end)
    observe?.(pending.request, reply, realTime() - pending.start)
  }
  const finishLater = (pending: Pending, reply: Promise<UnderstudyReply>) => {
    reply.then((whole) => finish(pending, whole)).catch((error: unknown) => failTo(pending.response, error))
  }
  const deliver = ({ request, response, start }: Pending, reply: UnderstudyReply, delivery: Delivery) => {
    sendStruck(response, reply, delivery, waits).then(
      () => observe?.(request, reply, realTime() - start),
      (error) => failTo(response, error),
    )
  }
  const begin = (pending: Pending) => {
    const { method } = pending.request
    if (isReadMethod(method)) answer(pending, undefined)
    else receive(pending, answer)
  }
  return (request, response, next) => {
    const { url = '/' } = request
    if (!isApi(url)) return next()
    const pending: Pending = { request, response, url, next, start: observe ? realTime() : 0 }
    // Written out: a function for each request would cost each one something.
    if (response.socket === null) answerInOrder(response, () => begin(pending))
    else begin(pending)
  }
}

/** A request that is being answered. */
interface Pending {
  readonly request: IncomingMessage
  readonly response: ServerResponse
  readonly url: string
  readonly next: () => void
  /** When it came, in milliseconds, where somebody observes. */
  readonly start: number
}

function receive(
  pending: Pending,
  answer: (pending: Pending, body: UnderstudyRequest['body']) => void,
): void {
  try {
    readText(pending.request, (body) => answer(pending, body))
  } catch (error) {
    failTo(pending.response, error)
  }
}

const apiPath = /^(?:[A-Za-z][\w+.-]*:\/\/[^/?#]*)?\/api(?:[/?#]|$)/

/** Tells whether a request is ours, before its body is read. */
function isApi(url: string): boolean {
  return apiPath.test(url)
}
