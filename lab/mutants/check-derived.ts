import type { RequestListener } from 'node:http'
import type { OperationId } from '../../contract-tests/rules/operation-id.ts'
import { checkTarget } from '../../contract-tests/runner/check-target.ts'
import { CannotVerify, type CheckOptions } from '../../contract-tests/runner/options.ts'
import type { Answering } from '../../contract-tests/runner/transports/transport.ts'
import { answering } from '../../contract-tests/targets/answering.ts'
import { builtIn, createTarget } from '../../contract-tests/targets/built-in.ts'
import type { HarmlessVariant } from '../conforming/variant.ts'
import { type Start, serveWrong } from './wrong-server.ts'

/** What became of a wrong server that was judged. */
export interface DerivedOutcome {
  readonly kind: 'killed' | 'survived' | 'refused'
  /** The rules that the verifier called broken. */
  readonly rules: readonly string[]
  /** Those of them that rest on what the document states, and not on a sample. */
  readonly stated: readonly string[]
  /** Those of them that are about an operation in which it can rightly be seen. */
  readonly rightly: readonly string[]
  /** The rules that were seen broken once, and not a second time. */
  readonly flaky: readonly string[]
  /** Why the verifier did not judge. */
  readonly reason?: string
}

/** The rules that say something about a harmless variant and must not: all but those that it says may tell it apart. */
export function falseFindings({ rules, flaky }: DerivedOutcome, { toldBy = [] }: HarmlessVariant): string[] {
  const may: readonly string[] = toldBy
  // What may tell it apart may do so at times: an update within the second of the creation shows nothing.
  return [...rules, ...flaky].filter((id) => !may.includes(id))
}

/** Judges a server in front of a fresh understudy, without sockets. */
export function judgeDerived(
  start: Start,
  seenBy: readonly OperationId[] = [],
  options: Partial<CheckOptions> = {},
): Promise<DerivedOutcome> {
  const understudy = createTarget({ auth: 'login' })
  // What its owner expects of it is known: a server that asks for less is wrong.
  return judgeTarget(serveWrong(answering(understudy), start), seenBy, { expect: 'login', ...options })
}

/** Judges anything that answers requests. */
export async function judgeTarget(
  target: Answering | RequestListener,
  seenBy: readonly OperationId[] = [],
  options: Partial<CheckOptions> = {},
): Promise<DerivedOutcome> {
  try {
    const { findings, flaky } = await checkTarget({
      ...builtIn,
      shrink: false,
      sequences: 2,
      ...options,
      target,
    })
    const broken = findings.filter(({ verdict }) => verdict.kind === 'failed').map(({ rule }) => rule)
    return {
      kind: broken.length > 0 ? 'killed' : 'survived',
      rules: broken.map(({ id }) => id),
      stated: broken.filter(({ source }) => source === 'specified').map(({ id }) => id),
      rightly: broken.filter(({ operation }) => seenBy.includes(operation)).map(({ id }) => id),
      flaky,
    }
  } catch (error) {
    if (!(error instanceof CannotVerify)) throw error
    return { kind: 'refused', rules: [], stated: [], rightly: [], flaky: [], reason: error.message }
  }
}
