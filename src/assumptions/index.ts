import type { Assumption } from './define-assumption.ts'
import { requestAssumptions } from './requests.ts'
import { resourceAssumptions } from './resources.ts'

const table = { ...requestAssumptions, ...resourceAssumptions }

/** The assumptions as they stand in the table: types of switches are read off it. */
export type AssumptionTable = typeof table

/** The id of an assumption. */
export type AssumptionId = keyof AssumptionTable

/** The switches whose default is none of their values: there are none, or the table below does not compile. */
type WithoutDefault = {
  [Id in AssumptionId]: AssumptionTable[Id] extends {
    readonly values: readonly (infer Value)[]
    readonly default: infer Default
  }
    ? Default extends Value
      ? never
      : Id
    : never
}[AssumptionId]

/** Every assumption, by id. */
export const assumptions: Readonly<Record<AssumptionId | WithoutDefault, Assumption>> &
  ([WithoutDefault] extends [never] ? unknown : WithoutDefault) = table

export type { Assumption } from './define-assumption.ts'
