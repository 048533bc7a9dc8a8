import type { SwitchTable } from '../../assumptions/switch-table.ts'
import type { Switches } from '../../assumptions/switches.ts'
import { withWords } from '../../assumptions/words.ts'
import { keysOf } from '../../shared/values.ts'
import type { ActiveAssumption } from './assumptions-here.ts'

/** Lists the assumptions with the values of their switches. */
export function activeAssumptions(switches: Switches, table: SwitchTable): ActiveAssumption[] {
  // Not every assumption has a switch.
  const values: Readonly<Record<string, string | number | undefined>> = switches
  const assumptions = withWords(table)
  return keysOf(assumptions).map((id) => {
    const value = values[id]
    return { id, ...assumptions[id], ...(value !== undefined && { value }) }
  })
}
