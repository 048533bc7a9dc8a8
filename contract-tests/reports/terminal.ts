import { styleText } from 'node:util'
import { printable } from './escape.ts'
import {
  bySection,
  type CheckedFinding,
  count,
  counts,
  type DeviationGroup,
  describeEvidence,
  groupByCause,
  judged,
  notJudged,
  onceOnly,
  type Report,
  repeated,
  restsOn,
  type Unsteady,
  unsteadyFindings,
  whyIncomplete,
} from './report.ts'

/** How the report is shown. */
export interface TerminalOptions {
  readonly hasColour?: boolean
  /** Every rule that was selected with its verdict, too. */
  readonly isVerbose?: boolean
  /** Only how many of how many rules were judged, and why not all of them. */
  readonly isQuiet?: boolean
}

type Paint = (colour: Parameters<typeof styleText>[0], text: string) => string

/** How many rules are named before the rest is counted. */
const mostNamed = 6

/** The report a person reads: what was harmed, what is broken, what was not judged; what holds is one line. */
export function terminalReport(report: Report, options: TerminalOptions = {}): string {
  const { hasColour = false, isVerbose = false, isQuiet = false } = options
  const paint: Paint = (colour, text) =>
    hasColour ? styleText(colour, text, { validateStream: false }) : text
  if (isQuiet) return lastLines(report, paint)
  const lines: string[] = []
  for (const harm of report.harm) lines.push(paint('red', `HARM DONE: ${printable(harm)}`))
  for (const group of groupByCause(report)) lines.push(...describeGroup(group, report, paint))
  for (const finding of unsteadyFindings(report.findings)) lines.push(...describeUnsteady(finding, paint))
  const known = report.findings.filter((finding) => finding.known !== undefined)
  for (const { rule, known: why } of known)
    lines.push(`${paint('yellow', 'known')}  ${rule.id}: ${printable(why ?? '')}`)
  for (const rule of report.gone) lines.push(paint('red', `The baseline is out of date: ${rule} holds now.`))
  for (const [why, rules] of notJudged(report.findings))
    lines.push(`${paint('dim', 'not judged')} ${printable(why)} (${named(rules)})`)
  if (isVerbose) lines.push('', ...everything(report.findings, paint))
  lines.push(...describeChoices(report, isVerbose, paint))
  if (report.leftBehind.length > 0) {
    lines.push(
      'Left on the target (not deletable through what was allowed):',
      ...report.leftBehind.map((path) => `  ${printable(path)}`),
    )
  }
  if (report.slowed > 0) lines.push(`The target asked for patience ${report.slowed} times, and was given it.`)
  const again = repeated(report)
  if (again !== undefined) lines.push(paint('dim', again))
  for (const note of report.notes) lines.push(paint('yellow', printable(note)))
  return `${lines.map((line) => `${line}\n`).join('')}${lastLines(report, paint)}`
}

/** Why not everything could be judged, where that is so, and how much was. */
function lastLines(report: Report, paint: Paint): string {
  const incomplete = whyIncomplete(report)
  const why =
    incomplete === undefined
      ? ''
      : `${paint('red', `Not everything could be judged: ${printable(incomplete)}`)}\n`
  return `${why}${lastLine(report)}\n`
}

const row = (label: string, text: string) => `       ${`${label}:`.padEnd(12)}${printable(text)}`

function describeUnsteady(finding: Unsteady, paint: Paint): string[] {
  const { rule, verdict } = finding
  return [
    `${paint('yellow', 'flaky')} ${rule.id} (does not count)`,
    `       ${onceOnly}`,
    row('documented', `${rule.claim} (${restsOn(finding)})`),
    ...describeEvidence(verdict.evidence).map(([label, text]) => row(label, text)),
    '',
  ]
}

/** What the target chooses: one line, or all of it where everything is shown. */
function describeChoices({ choices }: Report, isVerbose: boolean, paint: Paint): string[] {
  const all = Object.entries(choices)
  if (all.length === 0) return []
  if (!isVerbose)
    return [
      paint(
        'dim',
        `${all.length} trackedRecords that the document leaves open, as this target does them: --verbose.`,
      ),
    ]
  return [
    paint('bold', 'As this target does what the document leaves open'),
    ...all.map(([freedom, chosen]) => `  ${freedom}: ${printable(chosen.join('; '))}`),
  ]
}

function describeGroup({ cause, deviations }: DeviationGroup, report: Report, paint: Paint): string[] {
  const [first, ...others] = deviations
  const isDeciding = counts(first, report)
  const word = isDeciding ? paint('red', 'failed') : paint('yellow', first.rule.source)
  const note = isDeciding ? '' : ' (does not count)'
  const { evidence } = first.verdict
  const more = others.length === 0 ? '' : ` and ${others.length} more for the same reason`
  return [
    `${word} ${first.rule.id}${more}${note}`,
    ...(others.length > 0 ? [row('cause', cause)] : []),
    row('documented', `${evidence.documented} (${restsOn(first)})`),
    ...describeEvidence(evidence).map(([label, text]) => row(label, text)),
    ...(others.length > 0 ? [row('as well', named(others.map(({ rule }) => rule.id)))] : []),
    `       reproduce: ${printable(evidence.curl)}`,
    '       or from nothing, with what it needs:',
    ...evidence.reproduction
      .trimEnd()
      .split('\n')
      .map((line) => `         ${printable(line)}`),
    '',
  ]
}

function named(rules: readonly string[]): string {
  const shown = rules.slice(0, mostNamed).join(', ')
  return rules.length > mostNamed ? `${rules.length} rules: ${shown}, …` : shown
}

/** Each rule that was selected; those that were not are told of together, by what left them out. */
function everything(findings: readonly CheckedFinding[], paint: Paint): string[] {
  const selected = findings.filter(({ verdict }) => verdict.kind !== 'skipped')
  return bySection(selected).flatMap(([section, group]) => [
    paint('bold', section),
    ...group.map(
      ({ rule, verdict }) =>
        `  ${verdict.kind.padEnd(11)} ${rule.id}: ${rule.claim} (line ${rule.sentence.line})`,
    ),
  ])
}

function lastLine(report: Report): string {
  const { holds, broken, known, unsteady, notReached, skipped } = count(report.findings)
  const once = unsteady === 0 ? '' : `${unsteady} unsteady, `
  const counted = `${holds} hold, ${broken} broken, ${known} known, ${once}${notReached} not reached, ${skipped} skipped`
  return `${printable(report.target)}: ${judged(report.findings)}: ${counted}; ${report.requests} requests in ${seconds(report.milliseconds)}; their replies took ${seconds(report.waited)}, added up over requests side by side.`
}

function seconds(milliseconds: number): string {
  return `${(milliseconds / 1_000).toFixed(1)} s`
}
