import type { Section } from '../shared/sections.ts'

export interface AssumptionRow {
  /** The heading of the specification that leaves the point open. */
  readonly section: Section
  /** The behavior of the mock. */
  readonly choice: string
  /** The reason for the choice. */
  readonly why: string
  /** Observed behavior of Mage AI 0.9.79, an independent server of this API. */
  readonly observed?: string
}
