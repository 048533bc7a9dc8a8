import { printable } from './escape.ts'
import {
  count,
  counts,
  type DeviationGroup,
  describeEvidence,
  exitCodeOf,
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

/** So many characters of findings are shown; GitHub takes a summary of 1 MiB, and nobody reads so much. */
const mostShown = 300_000

/** So many names are given before the rest is counted. */
const mostNamed = 10

const outcomes = {
  0: '✅ Every rule that was judged and decides holds.',
  1: '❌ The server deviates from the document.',
  2: '⚠️ Not everything could be judged.',
} as const

/** The report as Markdown, for the summary of a job or a comment; what the target has said stands in code only. */
export function markdownReport(report: Report): string {
  const groups = groupByCause(report)
  const shown = takeWhileShort(groups.map((group) => groupLines(group, report)))
  const hidden = groups.length - shown.length
  return [
    '# Contract',
    `${outcomes[exitCodeOf(report)]} ${code(report.target)}: ${judged(report.findings)}.`,
    ...why(report),
    totals(report),
    ...list('Harm done', report.harm),
    ...list('The baseline is out of date: these hold now', report.gone),
    ...shown,
    ...(hidden > 0 ? [`And ${hidden} more causes; the other reports have all of them.`] : []),
    ...unsteadyFindings(report.findings).map(unsteadyLines),
    ...folded('Not judged', notJudged(report.findings).map(notJudgedLine)),
    ...folded('What the target chooses', Object.entries(report.choices).map(choiceLine)),
    ...list('Left on the target', report.leftBehind),
    ...report.notes.map(code),
    ...[repeated(report)].filter((text) => text !== undefined),
    '',
  ].join('\n\n')
}

function why(report: Report): string[] {
  const incomplete = whyIncomplete(report)
  return incomplete === undefined ? [] : [code(incomplete)]
}

function totals({ findings, requests, milliseconds }: Report): string {
  const { holds, broken, known, unsteady, notReached, skipped } = count(findings)
  const row = [holds, broken, known, unsteady, notReached, skipped, requests]
  return [
    '| hold | broken | known | unsteady | not reached | skipped | requests | seconds |',
    '|--:|--:|--:|--:|--:|--:|--:|--:|',
    `| ${row.join(' | ')} | ${(milliseconds / 1_000).toFixed(1)} |`,
  ].join('\n')
}

function groupLines({ deviations: [first, ...others] }: DeviationGroup, report: Report): string {
  const { rule, verdict } = first
  const decides = counts(first, report) ? '' : ' (does not decide)'
  const names = others.slice(0, mostNamed).map((other) => `\`${other.rule.id}\``)
  const uncounted = others.length - names.length
  const more = uncounted > 0 ? [...names, `${uncounted} more`] : names
  return [
    `## \`${rule.id}\`${decides}`,
    `${rule.claim} (${restsOn(first)})`,
    ...(more.length > 0 ? [`For the same reason: ${more.join(', ')}.`] : []),
    block(describeEvidence(verdict.evidence).map(([label, text]) => `${label}: ${text}`)),
    `<details><summary>Reproduce</summary>\n\n${block(verdict.evidence.reproduction.split('\n'), 'sh')}\n\n</details>`,
  ].join('\n\n')
}

function unsteadyLines({ rule, verdict }: Unsteady): string {
  const said = describeEvidence(verdict.evidence).map(([label, text]) => `${label}: ${text}`)
  return [`## \`${rule.id}\` (unsteady)`, `${onceOnly} ${rule.claim}`, block(said)].join('\n\n')
}

function notJudgedLine([reason, rules]: [reason: string, rules: string[]]): string {
  const named = rules.length > mostNamed ? `${rules.length} rules` : rules.map((id) => `\`${id}\``).join(', ')
  return `${code(reason)}: ${named}`
}

function choiceLine([freedom, chosen]: [freedom: string, chosen: readonly string[]]): string {
  return `\`${freedom}\`: ${code(chosen.join('; '))}`
}

function list(title: string, texts: readonly string[]): string[] {
  return texts.length === 0 ? [] : [`${title}:\n\n${texts.map((text) => `- ${code(text)}`).join('\n')}`]
}

function folded(title: string, lines: readonly string[]): string[] {
  if (lines.length === 0) return []
  const items = lines.map((line) => `- ${line}`).join('\n')
  return [`<details><summary>${title} (${lines.length})</summary>\n\n${items}\n\n</details>`]
}

/** The first of the texts, up to a length of all together, one at least. */
function takeWhileShort(texts: readonly string[]): string[] {
  let length = 0
  return texts.filter((text, index) => {
    length += text.length
    return index === 0 || length <= mostShown
  })
}

/** A text on one line that Markdown does not read: between more backticks than it has in a row. */
function code(text: string): string {
  const safe = printable(text)
  const fence = '`'.repeat(longestRun(safe) + 1)
  return `${fence} ${safe} ${fence}`
}

/** Lines that Markdown does not read. */
function block(lines: readonly string[], language = 'text'): string {
  const safe = lines.map(printable)
  const fence = '`'.repeat(Math.max(3, longestRun(safe.join('\n')) + 1))
  return `${fence}${language}\n${safe.join('\n')}\n${fence}`
}

function longestRun(text: string): number {
  return Math.max(0, ...[...text.matchAll(/`+/g)].map(([run]) => run.length))
}
