import type { UnderstudyReply } from '../messages.ts'
import { toReply } from '../reply.ts'
import type { RequestContext } from '../request-context.ts'
import { endingOf } from './fault.ts'
import type { Strike } from './faults.ts'

/** Tells whether a struck request still reaches its operation. */
export function runsDespite({ ending }: Strike): boolean {
  return ending === undefined || endingOf(ending)?.kind.stands === 'after' || (ending.runs ?? false)
}

/** Makes the reply of a struck request; `reply` is that of the operation, where it has run. */
export function strikeReply(
  context: RequestContext,
  { ending, delivery }: Strike,
  reply: UnderstudyReply | undefined,
): UnderstudyReply {
  const plain = reply ?? toReply(context, 200, '')
  const decided = ending && endingOf(ending)
  // What is answered instead cannot be made again from what the operation gave.
  if (decided) context.rebuildBody = undefined
  const answered = decided ? decided.kind.answer(plain, decided.value, ending) : plain
  return Object.keys(delivery).length === 0 ? answered : { ...answered, delivery }
}
