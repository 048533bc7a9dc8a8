import * as z from 'zod/mini'
import { count, duration } from '../../resources/attributes.ts'
import { errorCodes } from '../../shared/errors.ts'
import { errorEnvelope, hasNoBody } from '../../shared/http.ts'
import * as limits from '../../shared/limits.ts'
import { parseDuration } from '../../shared/timestamps.ts'
import type { UnderstudyReply } from '../messages.ts'
import type { Delivery } from './delivery.ts'

/** A fault kind that decides the answer. */
export interface AnswerKind<Schema extends z.ZodMiniType = z.ZodMiniType> {
  readonly decides: 'answer'
  /** Schema of the value that a fault gives it. */
  readonly schema: Schema
  /** True if the operation runs. If it does not by default, `runs` of the fault overrides it. */
  readonly runsOperation: boolean
  /** End of the reply. Default: the whole reply. */
  readonly end?: Delivery['end']
  /** Changes the reply of the operation; an empty reply where the operation does not run. */
  answer(reply: UnderstudyReply, value: z.output<Schema>, beside: Beside): UnderstudyReply
}

interface DelayKind<Schema extends z.ZodMiniType = z.ZodMiniType> {
  readonly decides: 'delay'
  readonly schema: Schema
  /** The part of the delivery that takes longer. */
  readonly slows: 'delay' | 'headTime' | 'bodyTime'
  /** Returns how long it takes, in milliseconds; `random` depends on the seed. */
  time(value: z.output<Schema>, random: () => number): number
}

export type FaultKind = AnswerKind | DelayKind

/** Optional properties of a fault with `status`. */
interface Beside {
  readonly body?: unknown
  readonly headers?: Readonly<Record<string, string>>
}

/** Defines a fault kind that decides the answer. */
export function answerKind<Schema extends z.ZodMiniType, const Runs extends boolean>(
  kind: Omit<AnswerKind<Schema>, 'decides'> & { readonly runsOperation: Runs },
): AnswerKind<Schema> & { readonly runsOperation: Runs } {
  return { decides: 'answer', ...kind }
}

/** Defines a fault kind that takes time. */
export function delayKind<Schema extends z.ZodMiniType>(
  kind: Omit<DelayKind<Schema>, 'decides'>,
): DelayKind<Schema> {
  return { decides: 'delay', ...kind }
}

const latency = z.union([
  duration,
  z.strictObject({ normal: z.strictObject({ mean: duration, deviation: duration }) }),
  z.strictObject({ lognormal: z.strictObject({ median: duration, sigma: z.number().check(z.minimum(0)) }) }),
])

/** Latency of a reply: constant, or drawn with the world's seed. Texts are durations such as `'200ms'`. */
export type Latency = z.output<typeof latency>

/** The table of fault kinds, by the name that a fault uses. At most one answer applies to a request. */
export const faultKinds = {
  /** Answers with an error envelope and HTTP 200. */
  error: answerKind({
    schema: z.strictObject({
      code: z.int(),
      type: z.optional(z.string()),
      message: z.optional(z.string()),
    }),
    runsOperation: false,
    answer(reply, { code, type = typeOf(code), message = 'A fault was asked for.' }) {
      return { ...reply, code, status: 200, body: errorEnvelope({ code, type, message }) }
    },
  }),
  /** Answers with an HTTP error status, and with the given `body` and `headers`. */
  status: answerKind({
    schema: z.int().check(z.minimum(200), z.maximum(599)),
    runsOperation: false,
    answer(reply, status, { body = '', headers = {} }) {
      const isText = typeof body === 'string'
      return {
        ...reply,
        code: status,
        status,
        headers: { ...reply.headers, ...(isText && text), ...inLowerCase(headers) },
        body: hasNoBody(status) ? '' : isText ? body : JSON.stringify(body),
      }
    },
  }),
  /** Answers with HTTP 502 and the HTML page of a proxy. */
  badGateway: answerKind({
    schema: z.boolean(),
    runsOperation: false,
    answer(reply) {
      const { 'content-type': _, ...headers } = reply.headers
      return { ...reply, code: 502, status: 502, headers: { ...headers, ...html }, body: badGatewayPage }
    },
  }),
  hang: answerKind({
    schema: z.boolean(),
    runsOperation: false,
    end: 'hang',
    answer: nothing,
  }),
  /** Closes the connection without an answer. */
  drop: answerKind({
    schema: z.boolean(),
    runsOperation: false,
    end: 'drop',
    answer: nothing,
  }),
  /** Breaks the connection in the middle of the body. */
  reset: answerKind({
    schema: z.boolean(),
    runsOperation: true,
    end: 'reset',
    answer: (reply) => reply,
  }),
  /** Cuts the JSON in the middle, or after a number of characters. */
  truncate: answerKind({
    schema: z.union([z.boolean(), count]),
    runsOperation: true,
    answer(reply, length) {
      const sent = typeof length === 'number' ? length : Math.floor(reply.body.length / 2)
      return { ...reply, body: reply.body.slice(0, sent) }
    },
  }),
  /** Time until the reply begins. */
  latency: delayKind({ schema: latency, slows: 'delay', time: draw }),
  /** Time that the head of the reply takes. */
  slowHeaders: delayKind({ schema: duration, slows: 'headTime', time: milliseconds }),
  /** Time that the body of the reply takes. */
  slowBody: delayKind({ schema: duration, slows: 'bodyTime', time: milliseconds }),
} satisfies Record<string, FaultKind>

export type FaultEffect = keyof typeof faultKinds

const text = { 'content-type': 'text/plain; charset=utf-8' }
const html = { 'content-type': 'text/html; charset=utf-8' }

const badGatewayPage =
  '<!doctype html>\n<html lang="en"><head><title>502 Bad Gateway</title></head><body><h1>502 Bad Gateway</h1></body></html>\n'

/** Creates the reply that never reaches the client. */
function nothing(reply: UnderstudyReply): UnderstudyReply {
  return { ...reply, code: 0, status: 0, headers: {}, body: '' }
}

function typeOf(code: number): string {
  return Object.entries(errorCodes).find(([, each]) => each === code)?.[0] ?? 'internal_error'
}

function inLowerCase(headers: Readonly<Record<string, string>>): Record<string, string> {
  return Object.fromEntries(Object.entries(headers).map(([name, value]) => [name.toLowerCase(), value]))
}

function draw(latency: Latency, random: () => number): number {
  if (typeof latency !== 'object') return milliseconds(latency)
  // Box–Muller transform: two uniform numbers give a normally distributed one.
  const deviate = Math.sqrt(-2 * Math.log(1 - random())) * Math.cos(2 * Math.PI * random())
  if ('normal' in latency) {
    const { mean, deviation } = latency.normal
    return Math.max(0, milliseconds(mean) + deviate * milliseconds(deviation))
  }
  const { median, sigma } = latency.lognormal
  return milliseconds(median) * Math.min(Math.exp(deviate * sigma), limits.wait)
}

function milliseconds(duration: string | number): number {
  return Math.min(parseDuration(duration) ?? 0, limits.wait)
}
