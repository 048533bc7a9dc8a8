import type { Section } from '../wire/sections.ts'

/** One point on which the document is silent or contradicts itself, and what the understudy does there. */
export interface Assumption {
  /** The heading of the document where the silence is. */
  readonly section: Section
  /** What the understudy does. */
  readonly choice: string
  /** Why, or what speaks for it. */
  readonly why: string
  /** What an independent server of this API, Mage AI 0.9.79, was seen to do. */
  readonly observed?: string
  /** The values `createUnderstudy({ assumptions })` takes for it; absent where it has no switch. */
  readonly values?: readonly string[]
  /** Which of the values it has where nobody says otherwise. */
  readonly default?: string
  /** `duration`: any number of milliseconds or text such as `20s` is a value; absent: only the `values` are. */
  readonly takes?: 'duration'
}

/** An assumption without a switch, or with a whole one: a row of the table that has half of one does not compile. */
export type AssumptionRow =
  | (Assumption & { readonly values?: never; readonly default?: never; readonly takes?: never })
  | (Assumption & { readonly values: readonly [string, ...string[]]; readonly default: string })
