import type { RequestListener } from 'node:http'
import type { FaultyServer } from '../../contract-tests/mutants/define-mutant.ts'
import { checkTarget } from '../../contract-tests/runner/check-target.ts'
import { CannotVerify, type CheckOptions } from '../../contract-tests/runner/options.ts'
import type { Answering } from '../../contract-tests/runner/transports/transport.ts'
import { answering } from '../../contract-tests/targets/answering.ts'
import { builtIn, createTarget } from '../../contract-tests/targets/built-in.ts'
import type { ConformingVariant } from '../conforming/variant.ts'
import { type Start, serveMutant } from './serve-mutant.ts'

/** The result of the verification of a mutant or of a conforming server. */
export interface Outcome {
  readonly kind: 'detected' | 'survived' | 'refused'
  /** The ids of the rules that failed. */
  readonly rules: readonly string[]
  /** Those of them that rest on a sentence of the specification. */
  readonly specified: readonly string[]
  /** The ids of the rules that failed once and not a second time. */
  readonly flaky: readonly string[]
  /** The number of requests at which the mutant differed from the correct server. */
  readonly provoked: number
  /** The reason why no run can verify the target. */
  readonly reason?: string
}

/** The failed rules of a conforming server, except for those that it names itself. */
export function falseFindings({ rules, flaky }: Outcome, { departsFrom = [] }: ConformingVariant): string[] {
  const allowed: readonly string[] = departsFrom
  return [...rules, ...flaky].filter((id) => !allowed.includes(id))
}

/** Verifies a mutant of a new mock server, without sockets. */
export async function verifyMutant(
  start: Start,
  options: Partial<CheckOptions> = {},
  auth: 'login' | 'open' = 'login',
): Promise<Outcome> {
  let provoked = 0
  const target = serveMutant(answering(createTarget({ auth })), start, () => provoked++)
  // The owner of a target knows the necessary credentials: a target that needs fewer is faulty.
  return { ...(await verifyTarget(target, { expect: auth, ...options })), provoked }
}

/** Verifies a shipped mutant in the same way. */
export const verifyShipped = (
  { request, reply, auth }: FaultyServer,
  options?: Partial<CheckOptions>,
): Promise<Outcome> =>
  verifyMutant(
    () => async (passing, forward) => {
      const answered = await forward(request?.(passing))
      return { ...answered, ...reply?.(answered, passing) }
    },
    options,
    auth,
  )

/** Verifies anything that answers requests. */
export async function verifyTarget(
  target: Answering | RequestListener | string,
  options: Partial<CheckOptions> = {},
): Promise<Outcome> {
  try {
    const { findings, flaky } = await checkTarget({
      ...builtIn,
      shrink: false,
      sequences: 2,
      ...options,
      target,
    })
    const failed = findings.filter(({ verdict }) => verdict.kind === 'failed').map(({ rule }) => rule)
    return {
      kind: failed.length > 0 ? 'detected' : 'survived',
      rules: failed.map(({ id }) => id),
      specified: failed.filter(({ source }) => source === 'specified').map(({ id }) => id),
      flaky,
      provoked: 0,
    }
  } catch (error) {
    if (!(error instanceof CannotVerify)) throw error
    return { kind: 'refused', rules: [], specified: [], flaky: [], provoked: 0, reason: error.message }
  }
}
