import type { Found } from '../act.ts'
import type { UnderstudyReply, UnderstudyRequest } from '../messages.ts'
import { toReply } from '../reply.ts'
import { endingOf } from './fault.ts'
import type { Strike } from './faults.ts'

/** Tells whether a struck request still reaches its operation. */
export function runsDespite({ ending }: Strike): boolean {
  return ending === undefined || endingOf(ending)?.kind.stands === 'after' || (ending.runs ?? false)
}

/** Makes the reply of a struck request; `reply` is that of the operation, where it has run. */
export function strikeReply(
  style: Parameters<typeof toReply>[0],
  request: UnderstudyRequest,
  { ending, delivery }: Strike,
  reply: UnderstudyReply | undefined,
  found: Found | undefined,
): UnderstudyReply {
  const plain = reply ?? toReply(style, request, 200, { text: '' }, found?.endpoint)
  const decided = ending && endingOf(ending)
  const answered = decided
    ? { ...decided.kind.answer(plain, decided.value, ending), again: undefined }
    : plain
  return Object.keys(delivery).length === 0 ? answered : { ...answered, delivery }
}
