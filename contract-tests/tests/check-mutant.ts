import { type BrokenServer, breakServer } from '../mutants/define-mutant.ts'
import type { RuleId } from '../rules/index.ts'
import { checkTarget } from '../runner/check-target.ts'
import type { CheckResult } from '../runner/options.ts'
import type { Answering } from '../runner/transports/transport.ts'
import { answering } from '../targets/answering.ts'
import { builtIn, createTarget } from '../targets/built-in.ts'

interface CheckMutantOptions {
  /** Milliseconds each reply waits. */
  readonly delay?: number
  /** Verifies only this rule, until it fails. */
  readonly rule?: RuleId
  /** Number of generated sequences. Default 2. */
  readonly sequences?: number
  /** Number of sequences that run concurrently. Default 4. */
  readonly concurrency?: number
  /** Stops at the first rule that is broken. */
  readonly bail?: boolean
}

/** Verifies a mutant of a new mock. */
export function checkMutant(
  server: Omit<BrokenServer, 'breaks' | 'name'>,
  options: CheckMutantOptions = {},
): Promise<CheckResult> {
  const { delay = 0, rule, sequences = 2, concurrency = 4, bail = false } = options
  const understudy = createTarget({ auth: server.auth ?? 'login' })
  const wrong = breakServer(answering(understudy), server)
  const target: Answering = {
    async answer(request) {
      if (delay > 0) await new Promise((resolve) => setTimeout(resolve, delay))
      return wrong.answer(request)
    },
  }
  // The owner of a target knows which credentials it needs: one that needs less is faulty.
  const expect = server.auth === 'open' ? 'open' : 'login'
  return checkTarget({
    ...builtIn,
    sequences,
    concurrency,
    bail,
    shrink: false,
    expect,
    target,
    // One failure is enough; other tests run failing sequences again.
    ...(rule && { only: [rule], bail: true, confirm: false }),
  })
}

/** Returns the ids of the failed rules. */
export function failedRules({ findings }: CheckResult): string[] {
  return findings.filter(({ verdict }) => verdict.kind === 'failed').map(({ rule }) => rule.id)
}

/** Returns the rules that did not pass, with their evidence. */
export function deviations({ findings }: CheckResult): string[] {
  return findings.flatMap(({ rule, verdict }) =>
    verdict.kind === 'failed'
      ? [`${rule.id}: ${verdict.evidence.received} (${verdict.evidence.curl})`]
      : verdict.kind === 'blocked'
        ? [`${rule.id}: blocked: ${verdict.missing}`]
        : [],
  )
}

/** Returns the ids of the skipped rules. */
export function skipped({ findings }: CheckResult): string[] {
  return findings.filter(({ verdict }) => verdict.kind === 'skipped').map(({ rule }) => rule.id)
}

/** Options that run the sequences only. */
export const sequencesOnly = { ...builtIn, scenarios: ['pipelines', 'blocks', 'backfills', 'sequences'] }
