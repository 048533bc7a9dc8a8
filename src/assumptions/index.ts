import type { Assumption } from './define-assumption.ts'
import { type AssumptionId, type SwitchTable, switchTable } from './switch-table.ts'
import { withWords } from './words.ts'

/** The switches whose default is none of their values: there are none, or the table below does not compile. */
type WithoutDefault = {
  [Id in keyof SwitchTable]: SwitchTable[Id]['default'] extends SwitchTable[Id]['values'][number] ? never : Id
}[keyof SwitchTable]

/**
 * Every assumption, by id.
 *
 * @example
 * console.log(assumptions['list-order'].choice)
 */
export const assumptions: Readonly<Record<AssumptionId, Assumption>> &
  ([WithoutDefault] extends [never] ? unknown : WithoutDefault) = withWords(switchTable)

export type { Assumption } from './define-assumption.ts'
export type { AssumptionId } from './switch-table.ts'
