import type { Finding, Verdict } from '../judge/verdicts.ts'
import { sections } from '../rules/sections.ts'

/** A finding held against a baseline. */
export interface JudgedFinding extends Finding {
  /** Why a deviation is known, where the baseline says so. */
  readonly known?: string | undefined
}

/** Everything a report is made of. */
export interface Report {
  readonly target: string
  readonly findings: readonly JudgedFinding[]
  readonly requests: number
  readonly milliseconds: number
  /** How much of it was waiting for replies. */
  readonly waited: number
  /** Records that could not be deleted through what was allowed. */
  readonly leftBehind: readonly string[]
  /** Rules the baseline calls broken that are not: the baseline is out of date. */
  readonly gone: readonly string[]
}

/** The findings by section, in the order of the document. */
export function bySection(
  findings: readonly JudgedFinding[],
): [section: string, findings: JudgedFinding[]][] {
  return Object.keys(sections)
    .map((section): [string, JudgedFinding[]] => [
      section,
      findings.filter(({ rule }) => rule.section === section),
    ])
    .filter(([, group]) => group.length > 0)
}

/** How many rules have each verdict; known deviations are counted by themselves. */
export function count(findings: readonly JudgedFinding[]) {
  const of = (kind: Verdict['kind']) => findings.filter(({ verdict }) => verdict.kind === kind).length
  const known = findings.filter(
    ({ verdict, known }) => verdict.kind === 'broken' && known !== undefined,
  ).length
  return {
    holds: of('holds'),
    broken: of('broken') - known,
    known,
    notReached: of('not reached'),
    skipped: of('skipped'),
  }
}

/** The findings that are deviations no baseline knows. */
export function newDeviations(findings: readonly JudgedFinding[]): JudgedFinding[] {
  return findings.filter(({ verdict, known }) => verdict.kind === 'broken' && known === undefined)
}
