import { type BrokenServer, breakServer } from '../mutants/define-mutant.ts'
import type { RuleId } from '../rules/index.ts'
import { checkTarget } from '../runner/check-target.ts'
import type { CheckResult } from '../runner/options.ts'
import type { Answering } from '../runner/transports/transport.ts'
import { answering } from '../targets/answering.ts'
import { builtIn, createTarget } from '../targets/built-in.ts'

interface JudgeBrokenOptions {
  /** Milliseconds each reply waits. */
  readonly delay?: number
  /** Judges only this rule, and no longer than until it is seen broken. */
  readonly rule?: RuleId
  /** Number of generated sequences. Default 2. */
  readonly sequences?: number
  /** Number of sequences that run concurrently. Default 4. */
  readonly concurrency?: number
  /** Stops at the first rule that is broken. */
  readonly bail?: boolean
}

/** Judges a wrong server made of a fresh understudy. */
export function judgeBroken(
  server: Omit<BrokenServer, 'breaks' | 'name'>,
  options: JudgeBrokenOptions = {},
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
  // What the owner of a target expects of it: a server that asks for less is wrong.
  const expect = server.auth === 'open' ? 'open' : 'login'
  return checkTarget({
    ...builtIn,
    sequences,
    concurrency,
    bail,
    shrink: false,
    expect,
    target,
    // That it is seen once is enough; that it is played again is tested by itself.
    ...(rule && { only: [rule], bail: true, confirm: false }),
  })
}

/** The ids of the rules a result calls broken. */
export function brokenRules({ findings }: CheckResult): string[] {
  return findings.filter(({ verdict }) => verdict.kind === 'failed').map(({ rule }) => rule.id)
}

/** The rules that do not hold, with what was seen. */
export function deviations({ findings }: CheckResult): string[] {
  return findings.flatMap(({ rule, verdict }) =>
    verdict.kind === 'failed'
      ? [`${rule.id}: ${verdict.evidence.received} (${verdict.evidence.curl})`]
      : verdict.kind === 'blocked'
        ? [`${rule.id}: not reached: ${verdict.missing}`]
        : [],
  )
}

/** The ids of the rules that were not asked for. */
export function skipped({ findings }: CheckResult): string[] {
  return findings.filter(({ verdict }) => verdict.kind === 'skipped').map(({ rule }) => rule.id)
}

/** Options that run the sequences only. */
export const sequencesOnly = { ...builtIn, scenarios: ['pipelines', 'blocks', 'backfills', 'sequences'] }
