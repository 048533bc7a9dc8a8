import type { Assumption } from './define-assumption.ts'
import { requestAssumptions } from './requests.ts'
import { resourceAssumptions } from './resources.ts'
import type { AssumptionId, AssumptionWords, SwitchTable } from './switch-table.ts'

const words: AssumptionWords = { ...requestAssumptions, ...resourceAssumptions }

/** Every assumption by id: its words, and its row of the table of switches, which is given by who has it loaded. */
export function withWords(switches: SwitchTable): Readonly<Record<AssumptionId, Assumption>> {
  const rows: Readonly<Record<string, object>> = switches
  const entries = Object.entries(words).map(([id, said]) => [id, { ...said, ...rows[id] }])
  return Object.fromEntries(entries)
}
