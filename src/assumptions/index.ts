import type { AssumptionRow } from './assumption-row.ts'
import { requestAssumptions } from './requests.ts'
import { resourceAssumptions } from './resources.ts'
import { type AssumptionId, type SwitchRow, switchTable } from './switch-table.ts'

/** Point on which the specification is silent or contradicts itself, the choice of the mock, and its switch. */
export interface Assumption extends AssumptionRow, Partial<SwitchRow> {}

const rows = { ...requestAssumptions, ...resourceAssumptions }
const switches: Readonly<Record<string, SwitchRow>> = switchTable
const entries = Object.entries(rows).map(([id, row]) => [id, { ...row, ...switches[id] }])

/**
 * Every assumption, by id.
 *
 * @example
 * console.log(assumptions['list-order'].choice)
 */
export const assumptions: Readonly<Record<AssumptionId, Assumption>> = Object.fromEntries(entries)

export type { AssumptionId }
