import type { RuleId } from '../../rules/index.ts'
import type { Exchange } from '../read-exchange.ts'
import type { CheckDetails } from '../verdicts.ts'

/** Receives whether a rule holds in an exchange, and what was found instead. */
export type InvariantCheck = (
  id: RuleId,
  holds: boolean,
  exchange: Exchange,
  ...found: [received?: unknown, details?: CheckDetails]
) => void
