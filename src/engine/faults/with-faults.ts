import type { UnderstudyReply } from '../messages.ts'
import { toReply } from '../reply.ts'
import type { RequestContext } from '../request-context.ts'

/** Applies the faults of a world to a request, before or after `respond` answers it. */
export function withFaults(
  context: RequestContext,
  respond: (context: RequestContext) => UnderstudyReply,
): UnderstudyReply {
  const { world, method, path, match } = context
  const applied = world.faults.apply(method, path, match.kind === 'endpoint' ? match : undefined)
  if (applied === undefined) return respond(context)
  const { ids, answer, delivery } = applied
  const runs = answer === undefined || answer.kind.runsOperation || answer.fault.runs === true
  const reply = runs ? respond(context) : toReply(context, 200, '')
  return {
    ...(answer === undefined ? reply : answer.kind.answer(reply, answer.value, answer.fault)),
    ...(Object.keys(delivery).length > 0 && { delivery }),
    faults: ids,
  }
}
