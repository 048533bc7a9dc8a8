import type { Section } from '../shared/sections.ts'

/** Point on which the specification is silent or contradicts itself, and the choice of the understudy. */
export interface Assumption {
  /** The heading of the specification where the silence is. */
  readonly section: Section
  /** Behavior that the understudy implements. */
  readonly choice: string
  /** Why, or what speaks for it. */
  readonly why: string
  /** Observed behavior of Mage AI 0.9.79, an independent server of this API. */
  readonly observed?: string
  /** The values `createUnderstudy({ assumptions })` takes for it; absent where it has no switch. */
  readonly values?: readonly string[]
  /** Default value. */
  readonly default?: string
  /** `duration`: any number of milliseconds or text such as `20s` is a value; absent: only the `values` are. */
  readonly takes?: 'duration'
}

/** Row of an assumption without the columns of its switch. */
export type AssumptionRow = Omit<Assumption, keyof SwitchRow>

/** Switch of an assumption. All properties are required, so that an incomplete row does not compile. */
export type SwitchRow = Required<Pick<Assumption, 'default'>> &
  Pick<Assumption, 'takes'> & { readonly values: readonly [string, ...string[]] }
