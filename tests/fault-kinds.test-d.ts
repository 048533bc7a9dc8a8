// Held by `tsc` alone: each line below an expected error does not compile.
import * as z from 'zod'
import { answerKind, delayKind, type FaultKind } from '../src/engine/faults/fault-kinds.ts'
import type { Adapter, Fault, FaultEffect } from '../src/index.ts'

const whole = {
  schema: z.int(),
  runsOperation: false,
  answer: (reply) => reply,
} satisfies Parameters<typeof answerKind<z.ZodInt, false>>[0]
answerKind(whole)

const { schema, runsOperation, answer } = whole
// @ts-expect-error: it does not say what a fault says of it
answerKind({ runsOperation, answer })
// @ts-expect-error: it does not say whether the operation runs
answerKind({ schema, answer })
// @ts-expect-error: it does not say what becomes of the reply
answerKind({ schema, runsOperation })
// @ts-expect-error: there is no such way to deliver a reply
answerKind({ ...whole, end: 'halfway' })
answerKind({
  ...whole,
  // @ts-expect-error: what a fault says of it is a number
  answer: (reply, value) => ({ ...reply, body: value.toUpperCase() }),
})
// @ts-expect-error: it does not say how long it takes
delayKind({ schema, slows: 'delay' })
// @ts-expect-error: it does not say what it slows
delayKind({ schema, time: () => 1 })
// @ts-expect-error: a row of the table is one or the other
export const table = { half: { decides: 'answer', schema } } satisfies Record<string, FaultKind>

export const fault: Fault = { operation: 'readBackfill', times: 1, error: { code: 500 } }
export const effect: FaultEffect = 'badGateway'
// @ts-expect-error: an error has a code
export const codeless: Fault = { error: { message: 'Out of disk.' } }
// @ts-expect-error: there is no such kind
export const unknown: Fault = { explode: true }
// @ts-expect-error: a latency is a duration or drawn
export const late: Fault = { latency: { uniform: 1 } }

export const adapter: Adapter = { name: 'a queue', refuses: { reset: 'it has no connections' } }
// @ts-expect-error: there is no such kind
export const unable: Adapter = { name: 'a queue', refuses: { explode: 'it is safe' } }
