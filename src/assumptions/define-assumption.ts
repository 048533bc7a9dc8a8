import type { Section } from '../shared/sections.ts'

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

/** An assumption as its table says it: what it is switched by stands in the table of switches. */
export type AssumptionRow = Omit<Assumption, keyof SwitchRow>

/** What an assumption is switched by, whole: a row that has half of it does not compile. */
export type SwitchRow = Required<Pick<Assumption, 'default'>> &
  Pick<Assumption, 'takes'> & { readonly values: readonly [string, ...string[]] }
