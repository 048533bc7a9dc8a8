import type { Assumption } from './define-assumption.ts'
import { requestAssumptions } from './requests.ts'
import { resourceAssumptions } from './resources.ts'

const table = { ...requestAssumptions, ...resourceAssumptions }

/** The id of an assumption. */
export type AssumptionId = keyof typeof table

/** Every assumption, by id. */
export const assumptions: Readonly<Record<AssumptionId, Assumption>> = table

export type { Assumption } from './define-assumption.ts'
