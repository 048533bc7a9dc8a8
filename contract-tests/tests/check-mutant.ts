import type { CheckResult } from '../runner/options.ts'
import { builtIn } from '../targets/built-in.ts'

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
