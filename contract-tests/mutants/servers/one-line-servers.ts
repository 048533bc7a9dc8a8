import type { RuleId } from '../../rules/index.ts'
import { accepts, type BreakableOperation, refuses, sets } from '../changes.ts'
import type { BrokenServer, Json, Passing } from '../define-mutant.ts'

/** A server that gives an attribute another value. */
export const says = (
  name: string,
  breaks: RuleId,
  operation: BreakableOperation,
  values: Json,
): BrokenServer => ({
  name,
  breaks,
  reply: sets(operation, values),
})

/** A server that refuses an operation, always or for some requests. */
export const no = (
  name: string,
  breaks: RuleId,
  operation: BreakableOperation,
  when?: (passing: Passing) => boolean,
): BrokenServer => ({ name, breaks, reply: refuses(operation, when) })

/** A server that lets pass what should be refused. */
export const yes = (
  name: string,
  breaks: RuleId,
  operation: BreakableOperation,
  success: Json,
  when?: (passing: Passing) => boolean,
): BrokenServer => ({ name, breaks, reply: accepts(operation, success, when) })
