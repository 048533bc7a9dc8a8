import type * as z from 'zod/mini'
import type { Method } from '../../resources/resource.ts'
import type { UnderstudyReply } from '../messages.ts'
import type { Delivery } from './delivery.ts'

/** What a face can do: send a reply, let it wait or take its time, close or break a connection. */
type Capability = 'reply' | 'time' | 'connection'

/** What is said of every kind of fault. */
interface CommonFaultKind<Schema extends z.ZodMiniType> {
  /** What a fault says of it. */
  readonly schema: Schema
  /** What a face must be able to do; any can send a reply, and may refuse what needs more. */
  readonly needs: Capability
}

/** A kind of fault that decides what is answered. */
export interface AnswerKind<Schema extends z.ZodMiniType = z.ZodMiniType> extends CommonFaultKind<Schema> {
  readonly decides: 'answer'
  /** Where it stands: `before` the engine the operation does not run, unless the fault says so by `runs`. */
  readonly stands: 'before' | 'after'
  /** What becomes of the operation's reply; of an empty one, where the operation does not run. */
  answer(reply: UnderstudyReply, value: z.output<Schema>, beside: Beside): UnderstudyReply
  /** How the reply ends: as a whole, or as the delivery says. */
  readonly end: 'whole' | NonNullable<Delivery['end']>
  /** The only methods it strikes, where it does not strike all. */
  readonly methods?: readonly Method[]
  /** How far behind the state is that the operation reads, in milliseconds. */
  lag?(value: z.output<Schema>): number
}

/** A kind of fault that takes time. */
export interface DelayKind<Schema extends z.ZodMiniType = z.ZodMiniType> extends CommonFaultKind<Schema> {
  readonly decides: 'delay'
  /** What of the delivery it adds its time to. */
  readonly slows: 'delay' | 'headTime' | 'bodyTime'
  /** How long it takes, in milliseconds; drawn by the world's seed where it varies. */
  time(value: z.output<Schema>, random: () => number): number
}

/** Everything that is true of a kind of fault. */
export type FaultKind = AnswerKind | DelayKind

/** What a fault may say beside a `status`. */
export interface Beside {
  readonly body?: unknown
  readonly headers?: Readonly<Record<string, string>>
}

/** Defines a kind of fault that decides what is answered. */
export function answerKind<
  Schema extends z.ZodMiniType,
  Needs extends Capability,
  const Stands extends AnswerKind['stands'],
>(
  kind: Omit<AnswerKind<Schema>, 'decides'> & { readonly needs: Needs; readonly stands: Stands },
): AnswerKind<Schema> & { readonly needs: Needs; readonly stands: Stands } {
  return { decides: 'answer', ...kind }
}

/** Defines a kind of fault that takes time. */
export function delayKind<Schema extends z.ZodMiniType, Needs extends Capability>(
  kind: Omit<DelayKind<Schema>, 'decides'> & { readonly needs: Needs },
): DelayKind<Schema> & { readonly needs: Needs } {
  return { decides: 'delay', ...kind }
}
