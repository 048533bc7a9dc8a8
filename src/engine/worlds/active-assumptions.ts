import type { AssumptionId } from '../../assumptions/index.ts'
import type { SwitchTable } from '../../assumptions/switch-table.ts'
import type { Switches } from '../../assumptions/switches.ts'
import { withWords } from '../../assumptions/words.ts'
import type { ActiveAssumption } from './assumptions-here.ts'

/** Lists the assumptions with the values of their switches. */
export function activeAssumptions(switches: Switches, table: SwitchTable): ActiveAssumption[] {
  // Not every assumption has a switch.
  const values: Readonly<Record<string, string | number | undefined>> = switches
  return Object.entries(withWords(table)).map(([id, assumption]) => {
    const value = values[id]
    // An id of the table.
    return { id: id as AssumptionId, ...assumption, ...(value !== undefined && { value }) }
  })
}
