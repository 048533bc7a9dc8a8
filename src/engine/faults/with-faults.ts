import { andThen, type MaybePromise } from '../maybe-promise.ts'
import type { UnderstudyReply } from '../messages.ts'
import type { RequestContext } from '../request-context.ts'
import { lagOf, type Strike } from './faults.ts'
import { runsDespite, strikeReply } from './struck.ts'

/** Lets the faults of a world strike a request, before it is answered or after. */
export function withFaults(
  context: RequestContext,
  takeSteps: (context: RequestContext) => MaybePromise<UnderstudyReply>,
): MaybePromise<UnderstudyReply> {
  const { world, method, path, match } = context
  world.remember()
  const strike = world.faults.strike(method, path, match.kind === 'endpoint' ? match : undefined)
  const reply = strike === undefined ? takeSteps(context) : answerStruck(context, strike, takeSteps)
  return andThen(reply, (whole) => {
    world.remember()
    return strike === undefined ? whole : { ...whole, faults: strike.ids }
  })
}

function answerStruck(
  context: RequestContext,
  strike: Strike,
  takeSteps: (context: RequestContext) => MaybePromise<UnderstudyReply>,
): MaybePromise<UnderstudyReply> {
  if (!runsDespite(strike)) return strikeReply(context, strike, undefined)
  const lag = strike.ending === undefined ? 0 : lagOf(strike.ending)
  if (lag > 0) context.model = context.world.modelOf(lag)
  return andThen(takeSteps(context), (whole) => strikeReply(context, strike, whole))
}
