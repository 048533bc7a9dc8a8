import type { Aspect } from '../../rules/derived.ts'
import type { RuleId } from '../../rules/index.ts'
import type { Exchange } from '../read-exchange.ts'

/** Details of a check besides the received value. */
export interface CheckDetails {
  readonly expected?: unknown
  /** Expectation in words, if it is not one value. */
  readonly described?: string
}

/** Records whether an exchange passes a rule, and the received value if it does not. */
export type InvariantCheck = (
  id: RuleId,
  holds: boolean,
  exchange: Exchange,
  ...found: [received?: unknown, details?: CheckDetails]
) => void

/** Records a violation of an aspect of the operation, or that it passed. */
export type AspectNote = (aspect: Aspect, flaws: unknown) => void
