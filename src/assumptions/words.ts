import type { Assumption } from './define-assumption.ts'
import { requestAssumptions } from './requests.ts'
import { resourceAssumptions } from './resources.ts'
import type { AssumptionId, AssumptionWords, SwitchTable } from './switch-table.ts'

const words: AssumptionWords = { ...requestAssumptions, ...resourceAssumptions }

/** Returns every assumption by id, with its row of the table of switches. */
export function withWords(switches: SwitchTable): Readonly<Record<AssumptionId, Assumption>> {
  const rows: Readonly<Record<string, object>> = switches
  const entries = Object.entries(words).map(([id, said]) => [id, { ...said, ...rows[id] }])
  return Object.fromEntries(entries)
}
