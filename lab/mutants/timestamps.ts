import { type BreakableOperation, reaches, sets } from '../../contract-tests/mutants/changes.ts'
import type { BrokenServer, Json } from '../../contract-tests/mutants/define-mutant.ts'
import { isObject } from '../../contract-tests/runner/is-object.ts'

/** What a wrong server makes of a reply. */
export type BrokenReply = NonNullable<BrokenServer['reply']>

/** Is wrong where the same is read twice and nothing was written in between: no write can be blamed. */
export function whenReadAgain(change: BrokenReply): Pick<BrokenServer, 'reply'> {
  const read = new Set<string>()
  return {
    reply(reply, passing) {
      if (passing.method !== 'GET') {
        read.clear()
        return undefined
      }
      const key = `${decodeURIComponent(passing.path)} ${passing.query.get('pipeline_uuid')}`
      if (read.has(key)) return change(reply, passing)
      read.add(key)
      return undefined
    },
  }
}

/** Shows other values of what was there when a request of an operation was refused. */
export function afterRefusal(
  write: BreakableOperation,
  read: BreakableOperation,
  values: (refused: number) => Json,
): BrokenReply {
  let refused = 0
  const seen = new Set<string>()
  const changed = new Set<string>()
  return (reply, passing) => {
    if (reaches(write, passing) && isObject(reply.body) && reply.body.error !== undefined) {
      refused++
      for (const path of seen) changed.add(path)
    }
    const path = decodeURIComponent(passing.path)
    if (passing.method === 'GET') seen.add(path)
    return changed.has(path) ? sets(read, values(refused))(reply, passing) : undefined
  }
}
