import type { Section } from '../shared/sections.ts'

export interface AssumptionRow {
  /** The heading of the specification where the silence is. */
  readonly section: Section
  /** Behavior that the understudy implements. */
  readonly choice: string
  /** Why, or what speaks for it. */
  readonly why: string
  /** Observed behavior of Mage AI 0.9.79, an independent server of this API. */
  readonly observed?: string
}
