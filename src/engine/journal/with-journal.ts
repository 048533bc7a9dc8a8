import { andThen, type MaybePromise } from '../maybe-promise.ts'
import type { UnderstudyReply } from '../messages.ts'
import type { RequestContext } from '../request-context.ts'

/** Enters a request and its reply in the journal of its world, with what it has changed. */
export function withJournal(
  context: RequestContext,
  answer: () => MaybePromise<UnderstudyReply>,
): MaybePromise<UnderstudyReply> {
  const { journal, clock } = context.world
  if (!journal.isOn) return answer()
  const start = performance.now()
  context.changes = []
  return andThen(answer(), (reply) => {
    journal.add(context, reply, { at: clock.now(), milliseconds: performance.now() - start })
    return reply
  })
}
