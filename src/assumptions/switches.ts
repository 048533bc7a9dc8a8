import { duration, type OptionCheck } from '../shared/check-options.ts'
import { noSuch } from '../shared/suggest.ts'
import { UnderstudyError } from '../shared/understudy-error.ts'
import { type SwitchRow, switchTable } from './switch-table.ts'

type SwitchTable = typeof switchTable

type SwitchValue<Row> = Row extends { readonly takes: 'duration' }
  ? string | number
  : Row extends { readonly values: readonly (infer Value)[] }
    ? Value
    : never

/** The switches of the table, each with its value. */
export type Switches = { readonly [Id in keyof SwitchTable]: SwitchValue<SwitchTable[Id]> }

/** Values of `createUnderstudy({ assumptions })`: one for each assumption that has a switch. */
export type AssumptionSwitches = Partial<Switches>

const rows: ReadonlyMap<string, SwitchRow> = new Map(Object.entries(switchTable))
const ids = [...rows.keys()]
// The type derives from the same rows.
const defaults = Object.fromEntries([...rows].map(([id, row]) => [id, row.values[0]])) as Switches

/**
 * Fills the switches a user left out.
 *
 * @throws UnderstudyError where a name is no assumption with a switch, or a value is not one it takes.
 */
export function readSwitches(given: AssumptionSwitches = {}): Switches {
  for (const [id, value] of Object.entries(given)) checkSwitch(id, value)
  return { ...defaults, ...given }
}

function checkSwitch(id: string, value: string | number): void {
  const { values, takes } = rows.get(id) ?? refuseId(id)
  const { expected, accepts } = takes === 'duration' ? duration : oneOf(values)
  if (accepts(value)) return
  throw new UnderstudyError('OPTION_INVALID', `${id}: expected ${expected}; found ${JSON.stringify(value)}.`)
}

function oneOf(values: readonly string[]): OptionCheck {
  return { expected: `one of ${values.join(', ')}`, accepts: (value) => values.includes(String(value)) }
}

function refuseId(id: string): never {
  throw new UnderstudyError('OPTION_INVALID', noSuch('switch', id, ids))
}
