import type { Assumption } from './define-assumption.ts'
import { requestAssumptions } from './requests.ts'
import { resourceAssumptions } from './resources.ts'
import { type AssumptionId, type AssumptionWords, type SwitchTable, switchTable } from './switch-table.ts'

/** The switches whose default is none of their values: there are none, or the table below does not compile. */
type WithoutDefault = {
  [Id in keyof SwitchTable]: SwitchTable[Id]['default'] extends SwitchTable[Id]['values'][number] ? never : Id
}[keyof SwitchTable]

const words: AssumptionWords = { ...requestAssumptions, ...resourceAssumptions }
const switches: Readonly<Record<string, object>> = switchTable

/** Every assumption, by id. */
export const assumptions = Object.fromEntries(
  Object.entries(words).map(([id, said]) => [id, { ...said, ...switches[id] }]),
  // Made of the rows that the id is made of.
) as Readonly<Record<AssumptionId | WithoutDefault, Assumption>> &
  ([WithoutDefault] extends [never] ? unknown : WithoutDefault)

export type { Assumption } from './define-assumption.ts'
export type { AssumptionId } from './switch-table.ts'
