import type * as z from 'zod/mini'
import type { UnderstudyReply } from '../messages.ts'
import type { Delivery } from './delivery.ts'

/** Capability of an adapter: send a reply, delay or slow it, or close or break a connection. */
type Capability = 'reply' | 'time' | 'connection'

/** Columns of every fault kind. */
interface CommonFaultKind<Schema extends z.ZodMiniType> {
  /** Schema of the value that a fault gives it. */
  readonly schema: Schema
  /**
   * Capability that an adapter needs. Every adapter can send a reply; it may refuse faults that need more.
   */
  readonly needs: Capability
}

/** A fault kind that decides the answer. */
export interface AnswerKind<Schema extends z.ZodMiniType = z.ZodMiniType> extends CommonFaultKind<Schema> {
  readonly decides: 'answer'
  /** True if the operation runs. If it does not by default, `runs` of the fault overrides it. */
  readonly runsOperation: boolean
  /** Changes the reply of the operation; an empty reply where the operation does not run. */
  answer(reply: UnderstudyReply, value: z.output<Schema>, beside: Beside): UnderstudyReply
  /** End of the reply: whole, or as the delivery specifies. */
  readonly end: 'whole' | NonNullable<Delivery['end']>
}

/** A fault kind that takes time. */
export interface DelayKind<Schema extends z.ZodMiniType = z.ZodMiniType> extends CommonFaultKind<Schema> {
  readonly decides: 'delay'
  /** The part of the delivery that takes longer. */
  readonly slows: 'delay' | 'headTime' | 'bodyTime'
  /** Returns how long it takes, in milliseconds; `random` depends on the seed. */
  time(value: z.output<Schema>, random: () => number): number
}

/** A row of the table of faults. */
export type FaultKind = AnswerKind | DelayKind

/** Optional properties of a fault with `status`. */
export interface Beside {
  readonly body?: unknown
  readonly headers?: Readonly<Record<string, string>>
}

/** Defines a fault kind that decides the answer. */
export function answerKind<
  Schema extends z.ZodMiniType,
  Needs extends Capability,
  const Runs extends boolean,
>(
  kind: Omit<AnswerKind<Schema>, 'decides'> & { readonly needs: Needs; readonly runsOperation: Runs },
): AnswerKind<Schema> & { readonly needs: Needs; readonly runsOperation: Runs } {
  return { decides: 'answer', ...kind }
}

/** Defines a fault kind that takes time. */
export function delayKind<Schema extends z.ZodMiniType, Needs extends Capability>(
  kind: Omit<DelayKind<Schema>, 'decides'> & { readonly needs: Needs },
): DelayKind<Schema> & { readonly needs: Needs } {
  return { decides: 'delay', ...kind }
}
