import type { AssumptionId } from '../../assumptions/index.ts'
import type { SwitchTable } from '../../assumptions/switch-table.ts'
import type { Switches } from '../../assumptions/switches.ts'
import { withWords } from '../../assumptions/words.ts'
import type { ActiveAssumption } from './assumptions-here.ts'

/** Every assumption, with the value its switch has; the table is given by who has it loaded. */
export function activeAssumptions(switches: Switches, table: SwitchTable): ActiveAssumption[] {
  return Object.entries(withWords(table)).map(([id, assumption]) => {
    // An id of the table, which may have no switch.
    const value = switches[id as keyof Switches]
    // An id of the table.
    return { id: id as AssumptionId, ...assumption, ...(value !== undefined && { value }) }
  })
}
