import type { Aspect } from '../../rules/derived.ts'
import type { RuleId } from '../../rules/index.ts'
import type { Exchange } from '../read-exchange.ts'

/** Details of a check besides the received value. */
export interface CheckDetails {
  readonly expected?: unknown
  /** Expectation in words, if it is not one value. */
  readonly described?: string
}

/** Receives whether a rule holds in an exchange, and what was found instead. */
export type InvariantCheck = (
  id: RuleId,
  holds: boolean,
  exchange: Exchange,
  ...found: [received?: unknown, details?: CheckDetails]
) => void

/** Notes what violates an aspect of the operation; nothing where it holds. */
export type AspectNote = (aspect: Aspect, flaws: unknown) => void
