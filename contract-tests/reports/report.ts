import type { Source } from '../rules/index.ts'
import { sections } from '../rules/sections.ts'
import type { Evidence, Finding, Verdict } from '../runner/verdicts.ts'

/** A finding held against a baseline. */
export interface CheckedFinding extends Finding {
  /** Why a deviation is known, where the baseline says so. */
  readonly known?: string | undefined
}

/** Everything a report is made of. */
export interface Report {
  /** The base URL, without a user. */
  readonly target: string
  /** Who the run was: its number is in the names of everything it made. */
  readonly run: string
  /** The sources of rules that affect the exit code besides `specified`. */
  readonly strict: readonly Source[]
  readonly findings: readonly CheckedFinding[]
  readonly requests: number
  /** How often the target asked for patience, and was given it. */
  readonly slowed: number
  readonly milliseconds: number
  /** Milliseconds that replies took, added up over requests side by side. */
  readonly waited: number
  /** Records that could not be deleted through what was allowed. */
  readonly leftBehind: readonly string[]
  /** What was harmed on the target. */
  readonly harm: readonly string[]
  /** Rules the baseline calls broken that are not: the baseline is out of date. */
  readonly gone: readonly string[]
  /** What sequences were drawn from, and how many: with both they can be told again. */
  readonly drawn: { readonly seed: number; readonly sequences: number }
  /** What the target chooses where the document leaves it open, by the id of the assumption. */
  readonly choices: Readonly<Record<string, readonly string[]>>
  /** What else is to be told. */
  readonly notes: readonly string[]
}

/** A finding with the evidence of its deviation. */
export type Deviation = CheckedFinding & { readonly verdict: Extract<Verdict, { kind: 'failed' }> }

/** A finding with what was seen once only. */
export type Unsteady = CheckedFinding & { readonly verdict: Extract<Verdict, { kind: 'flaky' }> }

/** Deviations with one cause; the first of them stands for all. */
export interface DeviationGroup {
  readonly cause: string
  readonly deviations: readonly [Deviation, ...Deviation[]]
}

/** The findings by section, in the order of the document. */
export function bySection(
  findings: readonly CheckedFinding[],
): [section: string, findings: CheckedFinding[]][] {
  return Object.keys(sections)
    .map((section): [string, CheckedFinding[]] => [
      section,
      findings.filter(({ rule }) => rule.section === section),
    ])
    .filter(([, group]) => group.length > 0)
}

/** How many rules have each verdict; known deviations are counted by themselves. */
export function count(findings: readonly CheckedFinding[]) {
  const of = (kind: Verdict['kind']) => findings.filter(({ verdict }) => verdict.kind === kind).length
  const known = findings.filter(
    ({ verdict, known }) => verdict.kind === 'failed' && known !== undefined,
  ).length
  return {
    holds: of('passed'),
    broken: of('failed') - known,
    known,
    unsteady: of('flaky'),
    notReached: of('blocked'),
    skipped: of('skipped'),
  }
}

/** The findings that were seen broken once, and not when the same was tried again. */
export function unsteadyFindings(findings: readonly CheckedFinding[]): Unsteady[] {
  return findings.filter((finding): finding is Unsteady => finding.verdict.kind === 'flaky')
}

/** What is said of a rule that is unsteady, before its evidence. */
export const onceOnly =
  'Unsteady: a deviation was seen once, and not when the same was tried again from scratch: a warning, no finding.'

/** The findings that are deviations no baseline knows. */
export function newDeviations(findings: readonly CheckedFinding[]): Deviation[] {
  return findings.filter((finding): finding is Deviation => isNew(finding))
}

function isNew({ verdict, known }: CheckedFinding): boolean {
  return verdict.kind === 'failed' && known === undefined
}

/** Tells whether a deviation decides: what is stated does, the rest where it was made to count. */
export function counts({ rule }: CheckedFinding, { strict }: Pick<Report, 'strict'>): boolean {
  return rule.source === 'specified' || strict.includes(rule.source)
}

/** New deviations by cause, those that decide first, the largest group first. */
export function groupByCause(report: Pick<Report, 'findings' | 'strict'>): DeviationGroup[] {
  const groups = new Map<string, Deviation[]>()
  for (const deviation of newDeviations(report.findings)) {
    const { cause } = deviation.verdict.evidence
    groups.set(cause, [...(groups.get(cause) ?? []), deviation])
  }
  const weight = ({ deviations }: DeviationGroup) =>
    deviations.filter((deviation) => counts(deviation, report)).length * 1_000 + deviations.length
  return [...groups]
    .flatMap(([cause, all]): DeviationGroup[] => {
      const [first, ...rest] = all.toSorted((one, other) => rank(one, report) - rank(other, report))
      return first === undefined ? [] : [{ cause, deviations: [first, ...rest] }]
    })
    .toSorted((one, other) => weight(other) - weight(one))
}

function rank(deviation: Deviation, report: Pick<Report, 'strict'>): number {
  return counts(deviation, report) ? 0 : 1
}

/** What a finding rests on, in words. */
export function restsOn({ rule }: Finding): string {
  return `line ${rule.sentence.line}, ${rule.section}, ${rule.source}`
}

/** What evidence says, line by line: the same in every report. */
export function describeEvidence(evidence: Evidence): readonly (readonly [label: string, text: string])[] {
  const { expected, received, request, httpStatus, reply, steps } = evidence
  return [
    ['expected', expected],
    ['received', received],
    ...(steps.length > 0 ? [['after', steps.join('; ')] as const] : []),
    ['request', request],
    ['reply', `HTTP ${httpStatus} ${reply}`],
  ]
}

/** How sequences that were drawn can be told again; undefined where none were. */
export function repeated({ drawn }: Pick<Report, 'drawn'>): string | undefined {
  const { seed, sequences } = drawn
  return sequences === 0
    ? undefined
    : `Sequences drawn: ${sequences}; --seed ${seed} --stories ${sequences} draws them again.`
}

/** Why rules were not judged, each cause with how many. */
export function notJudged(findings: readonly CheckedFinding[]): [why: string, rules: string[]][] {
  const reasons = new Map<string, string[]>()
  for (const { rule, verdict } of findings) {
    const why =
      verdict.kind === 'blocked' ? verdict.missing : verdict.kind === 'skipped' ? verdict.flag : undefined
    if (why !== undefined) reasons.set(why, [...(reasons.get(why) ?? []), rule.id])
  }
  return [...reasons].toSorted(([, one], [, other]) => other.length - one.length)
}

/** How many of how many rules were judged. */
export function judged(findings: readonly CheckedFinding[]): string {
  return `${countJudged(findings)} of ${findings.length} rules judged`
}

/** How many rules were judged. */
export function countJudged(findings: readonly CheckedFinding[]): number {
  const { holds, broken, known, unsteady } = count(findings)
  return holds + broken + known + unsteady
}

/** Why not everything could be judged that should have been; undefined where that is no fault. */
export function whyIncomplete(report: Pick<Report, 'findings' | 'strict'>): string | undefined {
  return whysIncomplete(report)[0]
}

/** Every cause why not everything could be judged, each once. */
export function whysIncomplete({ findings, strict }: Pick<Report, 'findings' | 'strict'>): string[] {
  const missed = (cause: string) => [
    ...new Set(
      findings.flatMap(({ verdict, known }) =>
        verdict.kind === 'blocked' && verdict.cause === cause && known === undefined ? [verdict.missing] : [],
      ),
    ),
  ]
  const failures = missed('failure')
  if (failures.length > 0) return failures
  if (countJudged(findings) === 0) return ['No rule was judged.']
  // What is broken and counts explains what could not be followed; of what is known, each rule says so for itself.
  const isExplained = newDeviations(findings).some((deviation) => counts(deviation, { strict }))
  return isExplained ? [] : missed('replies')
}

/** What the process exits with: 2 where not everything could be judged, 1 where something is broken, else 0. */
export function exitCodeOf(report: Pick<Report, 'findings' | 'strict' | 'gone'>): 0 | 1 | 2 {
  if (whyIncomplete(report) !== undefined) return 2
  const deciding = newDeviations(report.findings).filter((deviation) => counts(deviation, report))
  return deciding.length + report.gone.length > 0 ? 1 : 0
}
