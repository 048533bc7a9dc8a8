import { styleText } from 'node:util'
import { describeIssue } from '../../src/traffic/client-lint.ts'
import type { FindingGroup } from '../runner/causes.ts'
import { printable, withoutCommands } from './escape.ts'
import {
  bySection,
  counted,
  type Deviation,
  describeEvidence,
  describeLeft,
  onceOnly,
  quoted,
  type Report,
  type Summary,
  scriptName,
  summarize,
} from './report.ts'
import { trafficLine } from './traffic-line.ts'
import { usageTexts } from './usage-texts.ts'
import { withoutMiddle, wrap, wrapCommand } from './wrap.ts'

/** The form of the report in a terminal. */
export interface TerminalOptions {
  readonly hasColour?: boolean
  /** Shows every selected rule with its result, and all details. */
  readonly isVerbose?: boolean
  /** Shows the verdict only. */
  readonly isQuiet?: boolean
  /** The folder with the scripts of the findings. */
  readonly reproductions?: string | undefined
}

type Paint = (colour: Parameters<typeof styleText>[0], text: string) => string

const colours = { passed: 'green', failed: 'red', incomplete: 'yellow' } as const
/** Maximum number of lines of a finding, and of the reasons why rules were not checked. */
const [mostLines, mostReasons] = [12, 4]
const indent = '   '
/** The most characters of a request on one line. */
const mostSent = 67

/** The report for a terminal of 80 columns: the verdict, the findings, what was not checked, and the verdict again. */
export function terminalReport(report: Report, options: TerminalOptions = {}): string {
  const { hasColour = false, isVerbose = false, isQuiet = false, reproductions } = options
  const paint: Paint = (colour, text) =>
    hasColour ? styleText(colour, text, { validateStream: false }) : text
  const summary = summarize(report)
  const verdict = [
    ...summary.incomplete.flatMap((why) =>
      paintAll(wrap(printable(why), '', undefined, true), 'yellow', paint),
    ),
    paint(['bold', colours[summary.verdict]], summary.headline),
    ...wrap(`${summary.totalsLine}.`, ''),
  ]
  const cost = report.traffic
    ? `${report.requests} exchanges of ${printable(report.target)} in ${seconds(report.milliseconds)}`
    : `${report.requests} requests in ${seconds(report.milliseconds)} to ${printable(report.target)}`
  const last = report.traffic ? [printable(trafficLine(report.traffic))] : []
  if (isQuiet) return toText([...verdict, ...wrap(cost, ''), ...last])
  return toText([
    ...paintAll(
      report.harm.flatMap((text) => wrap(`HARM DONE: ${printable(text)}`, '')),
      'red',
      paint,
    ),
    ...verdict,
    '',
    ...summary.groups
      .filter(({ fails }) => fails)
      .flatMap((group, index) => findingLines(group, index, { isVerbose, paint, reproductions })),
    ...departures(summary, isVerbose, paint),
    ...summary.flaky.flatMap((finding) => flakyLines(finding, isVerbose, paint)),
    ...(isVerbose ? everything(report, summary, paint) : []),
    ...report.gone.flatMap((entry) =>
      paintAll(wrap(`The baseline is out of date: ${printable(entry)}`, ''), 'red', paint),
    ),
    ...uncheckedLines(summary, isVerbose, paint),
    ...usageLines(report, summary, paint),
    ...clientLines(report, paint),
    ...leftLines(summary),
    ...(report.slowed > 0 ? [`The target limited the rate of requests ${report.slowed} times.`] : []),
    ...report.notes.flatMap((note) => paintAll(wrap(printable(note), '', undefined, true), 'yellow', paint)),
    ...(summary.repeat === undefined ? [] : [paint('dim', `Repeat with ${summary.repeat}`)]),
    ...paintAll(wrap(cost, ''), 'dim', paint),
    ...verdict,
    ...last,
  ])
}

/** Joins the lines. A break may have put the prefix of a CI command at the start of one. */
function toText(lines: readonly string[]): string {
  return withoutCommands(lines.map((line) => `${line}\n`).join(''))
}

function paintAll(lines: readonly string[], colour: Parameters<Paint>[0], paint: Paint): string[] {
  return lines.map((line) => paint(colour, line))
}

interface FindingStyle {
  readonly isVerbose: boolean
  readonly paint: Paint
  readonly reproductions?: string | undefined
}

/** A finding in at most twelve lines; `--verbose` shows all of it. */
function findingLines(
  group: FindingGroup<Deviation>,
  index: number,
  { isVerbose, paint, reproductions }: FindingStyle,
): string[] {
  const { first, others } = group
  const { headline, expected, received, request, httpStatus, curl, reproduction } = first.evidence
  const most = isVerbose ? Number.POSITIVE_INFINITY : 2
  // The headline quotes the expectation if the whole reply violates the rule.
  const isClaim = expected === first.rule.claim && headline.includes(expected.replace(/\.$/, ''))
  const [title = '', ...rest] = wrap(`${index + 1}. ${printable(headline)}`, '', most)
  const more = `${counted(others.length, 'more deviation')} for the same reason`
  const sent = `${printable(request)} → HTTP ${httpStatus}`
  const file = reproductions === undefined ? undefined : `${reproductions}/${scriptName(first, index)}`
  const lines = [
    paint(['bold', 'red'], title),
    ...rest,
    ...row('rule', first.rule.id, 1),
    ...wrap(quoted(first), indent, most),
    ...(isClaim ? [] : row('expected', expected, most)),
    ...row('received', received, most),
    ...row('request', isVerbose ? sent : withoutMiddle(sent, mostSent), most),
    ...(others.length > 0 ? row('also', more, 1) : []),
    ...(file === undefined ? [] : row('script', file, 1)),
  ]
  if (isVerbose) {
    const also = others.flatMap((other) =>
      wrap(`also ${other.rule.id}: ${printable(other.evidence.headline)}`, indent),
    )
    const details = describeEvidence(first.evidence).slice(2)
    const script = reproduction.trimEnd().split('\n')
    return [
      ...lines,
      ...also,
      ...details.flatMap(([label, text]) => row(label, text, most)),
      ...script.map((line) => `${indent}  ${printable(line)}`),
      '',
    ]
  }
  const command = curl === '' ? [] : wrapCommand(printable(curl), indent)
  const isShown = curl !== '' && lines.length + command.length <= mostLines
  const elsewhere =
    file === undefined ? row('script', 'in the HTML report, or pass --reproductions DIR', 1) : []
  return [...lines, ...(isShown ? command : elsewhere), '']
}

function row(label: string, text: string, most: number): string[] {
  const [first = '', ...rest] = wrap(printable(text), `${indent}${' '.repeat(10)}`, most)
  return [`${indent}${label.padEnd(10)}${first.trimStart()}`, ...rest]
}

/** Deviations that do not fail the run: a line each. */
function departures({ groups }: Summary, isVerbose: boolean, paint: Paint): string[] {
  const weak = groups.filter(({ fails }) => !fails)
  if (weak.length === 0) return []
  const lines = weak.flatMap((group, index) =>
    isVerbose
      ? findingLines(group, index, { isVerbose, paint })
      : wrap(`${printable(group.first.evidence.headline)} (${group.first.rule.source})`, '  ', 2),
  )
  return [paint('yellow', 'Departs from an example or inference (does not fail the run):'), ...lines, '']
}

function flakyLines(finding: Deviation, isVerbose: boolean, paint: Paint): string[] {
  const lines = wrap(`Flaky: ${printable(finding.evidence.headline)} (${finding.rule.id})`, '', 2)
  const details = isVerbose
    ? [`  ${onceOnly}`, ...describeEvidence(finding.evidence).flatMap(([label, text]) => row(label, text, 4))]
    : []
  return [...paintAll(lines, 'yellow', paint), ...details]
}

function uncheckedLines({ unchecked }: Summary, isVerbose: boolean, paint: Paint): string[] {
  if (unchecked.length === 0) return []
  const shown = isVerbose ? unchecked : unchecked.slice(0, mostReasons)
  const hidden = unchecked.slice(shown.length)
  const rules = hidden.reduce((sum, [, ids]) => sum + ids.length, 0)
  return [
    paint('bold', 'Not checked:'),
    ...shown.flatMap(([reason, ids]) =>
      wrap(`${counted(ids.length, 'rule')}: ${printable(reason)}`, '  ', isVerbose ? 9 : 3, true),
    ),
    ...(hidden.length > 0
      ? [`  ${counted(rules, 'rule')} for ${counted(hidden.length, 'other reason')} (--verbose)`]
      : []),
    '',
  ]
}

/** The operations that consumers use, and the deviations that none of them uses. */
function usageLines(report: Report, summary: Summary, paint: Paint): string[] {
  const texts = usageTexts(report, summary)
  if (texts.length === 0) return []
  return [paint('bold', 'Used by consumers:'), ...texts.flatMap((text) => wrap(printable(text), '  ')), '']
}

function clientLines({ client }: Report, paint: Paint): string[] {
  if (client === undefined) return []
  if (client.length === 0) return ['The client does nothing wrong.', '']
  const lines = client.flatMap((issue) =>
    describeIssue(issue)
      .split('\n')
      .flatMap((line, index) => wrap(printable(line), index === 0 ? '  ' : '    ')),
  )
  return [paint('bold', 'Client (does not affect the exit code):'), ...lines, '']
}

function leftLines({ left, cleanUpCommand }: Summary): string[] {
  if (left.length === 0) return []
  return [
    'Left on the target:',
    ...left.map((each) => `  ${printable(describeLeft(each))}`.slice(0, 80)),
    ...(cleanUpCommand === undefined ? [] : ['Remove them with:', ...wrapCommand(cleanUpCommand, '  ')]),
    '',
  ]
}

/** Every selected rule by section, known failures with their reasons, and the implementation choices. */
function everything({ findings }: Report, { known, choices }: Summary, paint: Paint): string[] {
  const selected = findings.filter(({ verdict }) => verdict.kind !== 'skipped')
  return [
    ...bySection(selected).flatMap(([section, group]) => [
      paint('bold', section),
      ...group.map(
        ({ rule, verdict }) =>
          `  ${verdict.kind.padEnd(8)} ${rule.id}: ${rule.claim} (line ${rule.sentence.line})`,
      ),
    ]),
    '',
    ...known.map(({ rule, evidence }) => `Known: ${rule.id}: ${printable(evidence.known ?? '')}`),
    ...(choices.length > 0 ? [paint('bold', 'Implementation choices')] : []),
    ...choices.map((choice) => `  ${printable(choice)}`),
    '',
  ]
}

function seconds(milliseconds: number): string {
  return `${(milliseconds / 1_000).toFixed(1)} s`
}
