import { describeIssue } from '../../src/traffic/client-lint.ts'
import type { FindingGroup } from '../runner/causes.ts'
import { printable } from './escape.ts'
import {
  type Deviation,
  describeEvidence,
  onceOnly,
  quoted,
  type Report,
  ruleIds,
  type Summary,
  summarize,
  totalLabels,
  totalNames,
} from './report.ts'
import { trafficLine } from './traffic-line.ts'
import { usageTexts } from './usage-texts.ts'

/** Maximum number of characters of findings: GitHub accepts a summary of 1 MiB, and nobody reads so much. */
const mostShown = 300_000

/** Maximum number of names in a row. */
const mostNamed = 10

const signs = { passed: '✅', failed: '❌', incomplete: '⚠️' } as const

/** The report as Markdown, for the summary of a job or a comment; texts of the target appear in code only. */
export function markdownReport(report: Report): string {
  const summary = summarize(report)
  const { groups, left, repeat } = summary
  const shown = takeWhileShort(groups.map(groupLines))
  const hidden = groups.length - shown.length
  return [
    '# Contract verification',
    `${signs[summary.verdict]} **${summary.headline}** on ${code(report.target)}.`,
    ...summary.incomplete.map(code),
    totals(summary, report),
    ...(report.traffic ? [code(trafficLine(report.traffic))] : []),
    ...list('Harm done', report.harm),
    ...list('The baseline is out of date', report.gone),
    ...shown,
    ...(hidden > 0 ? [`And ${hidden} more findings; the other reports have all of them.`] : []),
    ...summary.flaky.map(flakyLines),
    ...(report.client && report.client.length > 0
      ? ['## Client', block(report.client.map(describeIssue).join('\n').split('\n'))]
      : []),
    ...collapsible('Used by consumers', usageTexts(report, summary).map(code)),
    ...collapsible('Not checked', summary.unchecked.map(uncheckedLine)),
    ...collapsible('Implementation choices', summary.choices.map(code)),
    ...list(
      'Left on the target',
      left.map(({ kind, count }) => `${count} × ${kind}`),
    ),
    ...(summary.cleanUpCommand === undefined ? [] : [`Remove with ${code(summary.cleanUpCommand)}`]),
    ...report.notes.map(code),
    ...(repeat === undefined ? [] : [`Repeat with \`${repeat}\`.`]),
    '',
  ].join('\n\n')
}

function totals({ totals: counts }: Summary, { requests, milliseconds }: Report): string {
  return [
    `| rules | ${totalNames.map((name) => totalLabels[name]).join(' | ')} | requests | seconds |`,
    `|${'--:|'.repeat(totalNames.length + 3)}`,
    `| ${counts.rules} | ${totalNames.map((name) => counts[name]).join(' | ')} | ${requests} | ${(milliseconds / 1_000).toFixed(1)} |`,
  ].join('\n')
}

function groupLines({ first, others, fails }: FindingGroup<Deviation>): string {
  const { headline, reproduction } = first.evidence
  const ids = ruleIds(others)
  const names = ids.slice(0, mostNamed).map((id) => `\`${id}\``)
  const uncounted = ids.length - names.length
  const more = uncounted > 0 ? [...names, `${uncounted} more`] : names
  return [
    `## ${code(headline)}${fails ? '' : ' (does not fail the run)'}`,
    `\`${first.rule.id}\`, ${code(quoted(first))}`,
    block(describeEvidence(first.evidence).map(([label, text]) => `${label}: ${text}`)),
    ...(more.length > 0 ? [`For the same reason: ${more.join(', ')}.`] : []),
    `<details><summary>Reproduce</summary>\n\n${block(reproduction.split('\n'), 'sh')}\n\n</details>`,
  ].join('\n\n')
}

function flakyLines({ rule, evidence }: Deviation): string {
  const details = describeEvidence(evidence).map(([label, text]) => `${label}: ${text}`)
  return [`## \`${rule.id}\` (flaky)`, `${onceOnly} ${rule.claim}`, block(details)].join('\n\n')
}

function uncheckedLine([reason, rules]: Summary['unchecked'][number]): string {
  const named = rules.length > mostNamed ? `${rules.length} rules` : rules.map((id) => `\`${id}\``).join(', ')
  return `${code(reason)}: ${named}`
}

function list(title: string, texts: readonly string[]): string[] {
  return texts.length === 0 ? [] : [`${title}:\n\n${texts.map((text) => `- ${code(text)}`).join('\n')}`]
}

function collapsible(title: string, lines: readonly string[]): string[] {
  if (lines.length === 0) return []
  const items = lines.map((line) => `- ${line}`).join('\n')
  return [`<details><summary>${title} (${lines.length})</summary>\n\n${items}\n\n</details>`]
}

/** The first texts, at least one, up to a common length. */
function takeWhileShort(texts: readonly string[]): string[] {
  let length = 0
  return texts.filter((text, index) => {
    length += text.length
    return index === 0 || length <= mostShown
  })
}

/** A text on one line that Markdown does not interpret: between more backticks than it has in a row. */
function code(text: string): string {
  const safe = printable(text)
  const fence = '`'.repeat(longestRun(safe) + 1)
  return `${fence} ${safe} ${fence}`
}

/** Lines that Markdown does not interpret. */
function block(lines: readonly string[], language = 'text'): string {
  const safe = lines.map(printable)
  const fence = '`'.repeat(Math.max(3, longestRun(safe.join('\n')) + 1))
  return `${fence}${language}\n${safe.join('\n')}\n${fence}`
}

function longestRun(text: string): number {
  return Math.max(0, ...[...text.matchAll(/`+/g)].map(([run]) => run.length))
}
