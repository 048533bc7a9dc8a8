import type { UnderstudyReply } from '../messages.ts'
import { toReply } from '../reply.ts'
import type { RequestContext } from '../request-context.ts'
import { endingOf } from './fault.ts'
import { lagOf, type StruckFaults } from './faults.ts'

/** Applies the faults of a world to a request, before or after `respond` answers it. */
export function withFaults(
  context: RequestContext,
  respond: (context: RequestContext) => UnderstudyReply,
): UnderstudyReply {
  const { world, method, path, match } = context
  const strike = world.faults.strike(method, path, match.kind === 'endpoint' ? match : undefined)
  if (strike === undefined) return respond(context)
  return Object.assign(respondFaultily(context, strike, respond), { faults: strike.ids })
}

function respondFaultily(
  context: RequestContext,
  strike: StruckFaults,
  respond: (context: RequestContext) => UnderstudyReply,
): UnderstudyReply {
  const { ending } = strike
  const runs = ending === undefined || endingOf(ending)?.kind.stands === 'after' || (ending.runs ?? false)
  if (!runs) return changeReply(context, strike, toReply(context, 200, ''))
  const lag = ending === undefined ? 0 : lagOf(ending)
  if (lag > 0) context.model = context.world.modelOf(lag)
  return changeReply(context, strike, respond(context))
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
  return Object.keys(delivery).length === 0 ? answered : { ...answered, delivery }
}
