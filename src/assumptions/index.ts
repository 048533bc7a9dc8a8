import type { Assumption } from './define-assumption.ts'
import { requestAssumptions } from './requests.ts'
import { resourceAssumptions } from './resources.ts'

const table = { ...requestAssumptions, ...resourceAssumptions }

/** The assumptions as they stand in the table: types of switches are read off it. */
export type AssumptionTable = typeof table

/** The id of an assumption. */
export type AssumptionId = keyof AssumptionTable

/** Every assumption, by id. */
export const assumptions: Readonly<Record<AssumptionId, Assumption>> = table

export type { Assumption } from './define-assumption.ts'
