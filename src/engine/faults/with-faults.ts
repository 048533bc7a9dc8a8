import { andThen, type MaybePromise } from '../maybe-promise.ts'
import type { UnderstudyReply } from '../messages.ts'
import { toReply } from '../reply.ts'
import type { RequestContext } from '../request-context.ts'
import { endingOf } from './fault.ts'
import { lagOf, type StruckFaults } from './faults.ts'

/** Lets the faults of a world strike a request, before it is answered or after. */
export function withFaults(
  context: RequestContext,
  takeSteps: (context: RequestContext) => MaybePromise<UnderstudyReply>,
): MaybePromise<UnderstudyReply> {
  const { world, method, path, match } = context
  const strike = world.faults.strike(method, path, match.kind === 'endpoint' ? match : undefined)
  if (strike === undefined) return takeSteps(context)
  const reply = answerStruck(context, strike, takeSteps)
  return andThen(reply, (whole) => Object.assign(whole, { faults: strike.ids }))
}

function answerStruck(
  context: RequestContext,
  strike: StruckFaults,
  takeSteps: (context: RequestContext) => MaybePromise<UnderstudyReply>,
): MaybePromise<UnderstudyReply> {
  const { ending } = strike
  const runs = ending === undefined || endingOf(ending)?.kind.stands === 'after' || (ending.runs ?? false)
  if (!runs) return changeReply(context, strike, toReply(context, 200, ''))
  const lag = ending === undefined ? 0 : lagOf(ending)
  if (lag > 0) context.model = context.world.modelOf(lag)
  return andThen(takeSteps(context), (reply) => changeReply(context, strike, reply))
}

/** Makes of a reply what the faults say; it is empty where the operation has not run. */
function changeReply(
  context: RequestContext,
  { ending, delivery }: StruckFaults,
  reply: UnderstudyReply,
): UnderstudyReply {
  const decided = ending && endingOf(ending)
  let answered = reply
  if (ending && decided) {
    // What is answered instead cannot be made again from what the operation gave.
    context.presented = undefined
    answered = decided.kind.answer(reply, decided.value, ending)
  }
  // The same reply: of one that is long, the pieces are known.
  return Object.keys(delivery).length === 0 ? answered : Object.assign(answered, { delivery })
}
