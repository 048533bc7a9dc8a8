import type { ClientIssue } from '../../src/traffic/client-lint.ts'
import type { Rule, Source } from '../rules/index.ts'
import { sections } from '../rules/sections.ts'
import { type FindingGroup, groupByCause } from '../runner/causes.ts'
import type { LeftRecord } from '../runner/left-behind.ts'
import { type Evidence, evidenceOf, type Finding, type Verdict } from '../runner/verdicts.ts'
import type { TrafficCounts } from '../traffic/check-traffic.ts'
import type { OperationUse } from '../traffic/usage.ts'

/** The result of a run, the input of every report format. */
export interface Report {
  /** The base URL, without a user. */
  readonly target: string
  /** The number of the run, which is part of the names of everything it created. */
  readonly run: string
  /** The command line that produced the report, without secrets, and the version of the package. */
  readonly command: string
  readonly version: string
  /** The sources of rules that affect the exit code besides `specified`. */
  readonly strict: readonly Source[]
  readonly findings: readonly Finding[]
  readonly requests: number
  /** Number of requests refused because of their rate. */
  readonly slowed: number
  readonly milliseconds: number
  /** Milliseconds of waiting for replies, summed over concurrent requests. */
  readonly waited: number
  /** Paths of the created records that are still on the target. */
  readonly leftBehind: readonly string[]
  /** Damage to the target. */
  readonly harm: readonly string[]
  /** Rules of the baseline that pass now: the baseline is out of date. */
  readonly gone: readonly string[]
  /** The seed and the number of generated sequences, which repeat them. */
  readonly drawn: { readonly seed: number; readonly sequences: number }
  /** The target's implementation choices, by the id of the assumption. */
  readonly choices: Readonly<Record<string, readonly string[]>>
  readonly notes: readonly string[]
  /** The checked part of recorded traffic; `undefined` if the run sent requests to a server. */
  readonly traffic?: TrafficCounts
  /** The use of each operation, if there are consumers. */
  readonly usage?: readonly OperationUse[]
  /** Mistakes of clients, with `--client`. They do not affect the exit code. */
  readonly client?: readonly ClientIssue[]
}

/** The members of a report that only a run with requests can fill. */
export const noRequests = {
  run: 'none',
  strict: [],
  requests: 0,
  slowed: 0,
  milliseconds: 0,
  waited: 0,
  leftBehind: [],
  harm: [],
  gone: [],
  drawn: { seed: 0, sequences: 0 },
  choices: {},
  notes: [],
} as const satisfies Partial<Report>

/** A rule with the evidence of one deviation. */
export interface Deviation {
  readonly rule: Rule
  readonly evidence: Evidence
}

/** Number of rules per result; the numbers add up to `rules`. */
export interface Totals {
  readonly rules: number
  readonly passed: number
  readonly failed: number
  /** Deviations from an example or an inference, which do not affect the exit code. */
  readonly departs: number
  readonly known: number
  readonly flaky: number
  readonly blocked: number
  readonly skipped: number
}

/** Remaining records of one kind on the target. */
export interface Leftover {
  readonly kind: LeftRecord['kind']
  readonly count: number
  readonly example: string
}

/** Everything that the report formats show, computed once. */
export interface Summary {
  readonly exitCode: 0 | 1 | 2
  readonly verdict: 'passed' | 'failed' | 'incomplete'
  /** The verdict in one sentence. */
  readonly headline: string
  readonly totals: Totals
  /** The totals in words. */
  readonly totalsLine: string
  /** Deviations by cause: those that fail the run first. */
  readonly groups: readonly FindingGroup<Deviation>[]
  readonly flaky: readonly Deviation[]
  readonly known: readonly Deviation[]
  /** The implementation choices of the target, with the assumption that names each. */
  readonly choices: readonly string[]
  /** The reasons why rules were not checked, each with its rules. */
  readonly unchecked: readonly (readonly [reason: string, rules: readonly string[]])[]
  /** The reasons why the run is incomplete; empty if it is complete. */
  readonly incomplete: readonly string[]
  readonly left: readonly Leftover[]
  /** The command that deletes the rest; undefined if the target has refused that, or nothing can delete it. */
  readonly cleanUpCommand: string | undefined
  /** Flags that generate the same sequences again. */
  readonly repeat: string | undefined
}

/** Computes what the report formats show. */
export function summarize(report: Report): Summary {
  const { findings } = report
  const totals = totalsOf(report)
  const groups = groupByCause(newDeviations(findings), (deviation) => affectsExitCode(deviation, report))
  const incomplete = whyIncomplete(report)
  const exitCode = exitCodeOf(report)
  const verdict = ({ 0: 'passed', 1: 'failed', 2: 'incomplete' } as const)[exitCode]
  const { seed, sequences } = report.drawn
  return {
    exitCode,
    verdict,
    headline: headlineOf(verdict, groups, report),
    totals,
    totalsLine: totalsLine(totals),
    groups,
    flaky: findings.flatMap(({ rule, verdict }) =>
      verdict.kind === 'flaky' ? [{ rule, evidence: verdict.evidence }] : [],
    ),
    known: deviationsOf(findings).filter(({ evidence }) => evidence.known !== undefined),
    choices: Object.entries(report.choices).map(
      ([assumption, values]) => `${assumption}: ${values.join('; ')}`,
    ),
    unchecked: uncheckedRules(findings),
    incomplete,
    left: leftoversOf(report.leftBehind),
    cleanUpCommand: cleanUpCommandOf(report),
    repeat: sequences === 0 ? undefined : `--seed ${seed} --sequences ${sequences}`,
  }
}

function headlineOf(verdict: Summary['verdict'], groups: Summary['groups'], { gone }: Report): string {
  const failing = groups.filter(({ fails }) => fails).length
  const findings = counted(failing, 'finding')
  const stale = gone.length === 0 ? '' : `, ${counted(gone.length, 'rule')} of the baseline out of date`
  switch (verdict) {
    case 'passed':
      return 'PASSED: every checked rule of the specification passed'
    case 'failed':
      return `FAILED: ${findings}${stale}`
    case 'incomplete':
      return failing === 0 ? 'INCOMPLETE: not everything could be checked' : `INCOMPLETE: ${findings} so far`
  }
}

function totalsOf({ findings, strict }: Pick<Report, 'findings' | 'strict'>): Totals {
  const of = (kind: Verdict['kind']) => findings.filter(({ verdict }) => verdict.kind === kind).length
  const fresh = findings.filter((finding) => newDeviations([finding]).length > 0)
  const failed = fresh.filter((finding) => affectsExitCode(finding, { strict })).length
  return {
    rules: findings.length,
    passed: of('passed'),
    failed,
    departs: fresh.length - failed,
    known: of('failed') - fresh.length,
    flaky: of('flaky'),
    blocked: of('blocked'),
    skipped: of('skipped'),
  }
}

/** Returns a number with its noun. */
export function counted(count: number, noun: string): string {
  return `${count} ${noun}${count === 1 ? '' : 's'}`
}

/** The names of the totals, for people. */
export const totalLabels = {
  passed: 'passed',
  failed: 'failed',
  departs: 'depart from an example or inference',
  known: 'known',
  flaky: 'flaky',
  blocked: 'blocked',
  skipped: 'skipped',
} as const satisfies Record<Exclude<keyof Totals, 'rules'>, string>

/** The names of the totals in their order. */
export const totalNames = ['passed', 'failed', 'departs', 'known', 'flaky', 'blocked', 'skipped'] as const

function totalsLine(totals: Totals): string {
  const parts = totalNames.filter((name) => totals[name] > 0 || name === 'passed' || name === 'failed')
  return `${counted(totals.rules, 'rule')}: ${parts.map((name) => `${totals[name]} ${totalLabels[name]}`).join(', ')}`
}

/** Groups findings by section, in the order of the specification. */
export function bySection(findings: readonly Finding[]): [section: string, findings: Finding[]][] {
  return Object.keys(sections)
    .map((section): [string, Finding[]] => [section, findings.filter(({ rule }) => rule.section === section)])
    .filter(([, group]) => group.length > 0)
}

/** The explanation of a flaky rule, before its evidence. */
export const onceOnly = 'Seen once, and not when the check was repeated: a warning, not a finding.'

function deviationsOf(findings: readonly Finding[]): Deviation[] {
  return findings.flatMap((finding) =>
    evidenceOf(finding).map((evidence) => ({ rule: finding.rule, evidence })),
  )
}

/** The deviations that no baseline contains. */
export function newDeviations(findings: readonly Finding[]): Deviation[] {
  return deviationsOf(findings).filter(({ evidence }) => evidence.known === undefined)
}

/** The ids of the rules of deviations, each once. */
export function ruleIds(deviations: readonly Deviation[]): string[] {
  return [...new Set(deviations.map(({ rule }) => rule.id))]
}

/** Returns whether a deviation affects the exit code: its rule has the source `specified`, or one that `--strict` names. */
export function affectsExitCode(
  { rule }: Pick<Finding, 'rule'>,
  { strict }: Pick<Report, 'strict'>,
): boolean {
  return rule.source === 'specified' || strict.includes(rule.source)
}

/** The file name of a finding's script. */
export function scriptName({ rule }: Deviation, index: number): string {
  return `${String(index + 1).padStart(2, '0')}-${rule.id.replace('/', '-')}.sh`
}

/** The sentence that a deviation violates, quoted with its line. */
export function quoted({ rule, evidence }: Deviation): string {
  const { line, text } = evidence.sentence
  const source = rule.source === 'specified' ? '' : ` (${rule.source})`
  return `line ${line}${source}: "${text}"`
}

/** The lines that describe evidence, the same in every report. */
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

/** The expected and the received value on one line. */
export function valuesLine({ expected, received, httpStatus }: Evidence): string {
  return `Expected: ${expected} Received: ${received} (HTTP ${httpStatus})`
}

/** The reasons why rules were not checked, each with its rules. */
export function uncheckedRules(findings: readonly Finding[]): [reason: string, rules: string[]][] {
  const reasons = new Map<string, string[]>()
  for (const { rule, verdict } of findings) {
    const reason =
      verdict.kind === 'blocked' ? verdict.missing : verdict.kind === 'skipped' ? verdict.flag : undefined
    if (reason !== undefined) reasons.set(reason, [...(reasons.get(reason) ?? []), rule.id])
  }
  return [...reasons].toSorted(([, one], [, other]) => other.length - one.length)
}

/** Counts the checked rules. */
export function countChecked(findings: readonly Finding[]): number {
  return findings.filter(({ verdict: { kind } }) => kind !== 'blocked' && kind !== 'skipped').length
}

/** Every reason why the run is incomplete. */
export function whyIncomplete({ findings, traffic }: Pick<Report, 'findings' | 'traffic'>): string[] {
  const missed = (cause: string) => [
    ...new Set(
      findings.flatMap(({ verdict }) =>
        verdict.kind === 'blocked' && verdict.cause === cause ? [verdict.missing] : [],
      ),
    ),
  ]
  const failures = missed('failure')
  if (failures.length > 0) return failures
  // The report lists rules without a reply as blocked; the run checked the others.
  if (countChecked(findings) > 0) return []
  const hint = 'Record requests of the API, whose paths begin with /api, with the bodies of their replies.'
  return [traffic?.checked === 0 ? `No rule was checked. ${hint}` : 'No rule was checked.']
}

/** The exit code: 2 for an incomplete run, 1 for a failed rule or an outdated baseline, else 0. */
export function exitCodeOf(report: Pick<Report, 'findings' | 'strict' | 'gone'>): 0 | 1 | 2 {
  if (whyIncomplete(report).length > 0) return 2
  const isFailed = newDeviations(report.findings).some((deviation) => affectsExitCode(deviation, report))
  return isFailed || report.gone.length > 0 ? 1 : 0
}

const kindsByPath: readonly (readonly [RegExp, Leftover['kind']])[] = [
  [/^\/api\/pipelines\//, 'pipeline'],
  [/^\/api\/backfills\//, 'backfill'],
  [/^\/api\/pipeline_runs\//, 'run'],
  [/^\/api\/oauth_access_tokens/, 'token'],
]

function cleanUpCommandOf({ target, command, leftBehind }: Report): string | undefined {
  const isDeletable = leftoversOf(leftBehind).some(({ kind }) => kind !== 'run' && kind !== 'token')
  if (!isDeletable || command.includes('--use-conventions')) return undefined
  return `pipeline-understudy verify ${target} --clean --use-conventions`
}

/** Describes the remaining records of a kind. No path reads a single token. */
export function describeLeft({ kind, count, example }: Leftover): string {
  return kind === 'token'
    ? `${counted(count, kind)}, until they expire`
    : `${counted(count, kind)}, such as ${example}`
}

function leftoversOf(paths: readonly string[]): Leftover[] {
  const found = new Map<Leftover['kind'], { count: number; example: string }>()
  for (const path of paths) {
    const kind = kindsByPath.find(([pattern]) => pattern.test(path))?.[1]
    if (kind === undefined) continue
    found.set(kind, { count: (found.get(kind)?.count ?? 0) + 1, example: found.get(kind)?.example ?? path })
  }
  return [...found].map(([kind, rest]) => ({ kind, ...rest }))
}
