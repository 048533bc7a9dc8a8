import type { WorldInstance } from '../worlds/world-instance.ts'

/** Has every token expire now that has not yet; gives how many. */
export function signOut({ currentModel: model }: WorldInstance): number {
  const authenticator = model.resources.find(({ authenticates }) => authenticates !== undefined)
  if (authenticator === undefined) return 0
  const table = model.table(authenticator.plural)
  const now = model.now()
  const valid = table.records().filter(({ expires }) => String(expires) > now)
  for (const token of valid) table.change(token, { expires: now })
  return valid.length
}
