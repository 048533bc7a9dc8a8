import { describeIssue } from '../../src/traffic/client-lint.ts'
import type { FindingGroup } from '../runner/causes.ts'
import { evidenceOf, type Finding } from '../runner/verdicts.ts'
import { type CoveredLine, coverageMap } from './coverage-map.ts'
import { escapeMarkup } from './escape.ts'
import { script, style } from './html-style.ts'
import {
  counted,
  type Deviation,
  describeLeft,
  onceOnly,
  type Report,
  type Summary,
  summarize,
  totalLabels,
  totalNames,
} from './report.ts'
import { trafficLine } from './traffic-line.ts'
import { usageTexts } from './usage-texts.ts'

/** Writes the report as one self-contained HTML file: the verdict, the findings, then the specification as a map. */
export function htmlReport(report: Report): string {
  const summary = summarize(report)
  const title = `Contract verification of ${escapeMarkup(report.target)}`
  return `<!doctype html>
<html lang="en"><head><meta charset="utf-8"><meta name="viewport" content="width=device-width,initial-scale=1">
<title>${title}</title><style>${style}</style></head><body>
<header>${report.harm.map((text) => `<p class="harm">Harm done: ${escapeMarkup(text)}</p>`).join('\n')}
<h1>${title}</h1>${header(report, summary)}</header>
<main>${filter()}
${findingsSection(summary)}
${flakySection(summary)}
${usageSection(report, summary)}
${clientSection(report)}
${uncheckedSection(summary)}
${leftSection(summary)}
${choicesSection(report)}
<section class="s-document"><h2>The specification, line by line</h2>
<p class="quiet">✓ passed · ✕ failed · ! known, flaky, or does not fail the run · ○ not checked, with the reason</p>
<div class="doc">${coverageMap(report).map(row).join('\n')}</div></section>
</main><script>${script}</script></body></html>
`
}

function header(report: Report, summary: Summary): string {
  const { totals, incomplete, repeat } = summary
  const shown = totalNames.filter((name) => totals[name] > 0)
  const bar = shown.map((name) => `<i class="${name}" style="flex:${totals[name]}"></i>`).join('')
  const list = totalNames
    .map((name) => `<li class="${name}"><b>${totals[name]}</b> ${totalLabels[name]}</li>`)
    .join('')
  const seconds = (report.milliseconds / 1_000).toFixed(1)
  return `<p class="verdict ${summary.verdict}">${escapeMarkup(summary.headline)}</p>
${incomplete.map((why) => `<p class="harm">${escapeMarkup(why)}</p>`).join('')}
<div class="bar" aria-hidden="true">${bar}</div><ul class="counts" data-rules="${totals.rules}"><li><b>${totals.rules}</b> rules</li>${list}</ul>
${report.gone.map((entry) => `<p>The baseline is out of date: ${escapeMarkup(entry)}</p>`).join('')}
${report.notes.map((note) => `<p>${escapeMarkup(note)}</p>`).join('')}
<dl class="quiet"><dt>Command</dt><dd><code>${escapeMarkup(report.command)}</code></dd>
<dt>Version</dt><dd>pipeline-understudy ${escapeMarkup(report.version)}, run ${escapeMarkup(report.run)}</dd>
<dt>Requests</dt><dd>${report.requests} in ${seconds} s${report.slowed > 0 ? `, rate limited ${report.slowed} times` : ''}</dd>
${report.traffic === undefined ? '' : `<dt>Traffic</dt><dd>${escapeMarkup(trafficLine(report.traffic))}</dd>`}
${repeat === undefined ? '' : `<dt>Repeat</dt><dd><code>${repeat}</code></dd>`}</dl>`
}

/** Filters that work without a script; the search needs one and is hidden without it. */
function filter(): string {
  const choices = { all: 'everything', failed: 'failed', unchecked: 'not checked', passed: 'passed' }
  const labels = Object.entries(choices).map(
    ([id, label]) =>
      `<label><input type="radio" name="filter" id="f-${id}"${id === 'all' ? ' checked' : ''}>${label}</label>`,
  )
  return `<fieldset class="filter"><legend>Show</legend>${labels.join('')}<input type="search" id="search" placeholder="Search" aria-label="Search findings and the specification" hidden></fieldset>`
}

/** The findings by operation; those that do not fail the run come last. */
function findingsSection({ groups }: Summary): string {
  if (groups.length === 0)
    return '<section class="s-failed"><h2>Findings</h2><p>No rule that was checked failed.</p></section>'
  const operations = [...new Set(groups.map(({ first }) => first.evidence.operation))]
  const sections = operations.map((operation) => {
    const cards = groups.filter(({ first }) => first.evidence.operation === operation).map(card)
    return `<h3>${escapeMarkup(operation)}</h3>${cards.join('\n')}`
  })
  return `<section class="s-failed"><h2>Findings by operation</h2>${sections.join('\n')}</section>`
}

function card({ first, others, fails }: FindingGroup<Deviation>): string {
  const { rule, evidence } = first
  const { headline, expected, received, sentence, reproduction } = evidence
  const also = others.map(
    (other) =>
      `<li><code>${other.rule.id}</code> ${escapeMarkup(other.evidence.headline)}${details(other)}</li>`,
  )
  const more =
    also.length === 0
      ? ''
      : `<details><summary>${also.length} more for the same reason</summary><ul>${also.join('')}</ul></details>`
  const tag = fails ? rule.source : `${rule.source}, does not fail the run`
  return `<article class="card${fails ? '' : ' weak'}"><h4>${escapeMarkup(headline)}</h4>
<p class="quiet"><code>${rule.id}</code> <span class="tag">${tag}</span></p>
<blockquote><a href="#L${sentence.line}">line ${sentence.line}</a> ${inline(sentence.text)}</blockquote>
${sides(expected, received)}${details(first)}
<details><summary>Reproduce it</summary><pre>${escapeMarkup(reproduction)}</pre></details>${more}</article>`
}

/** The request, the requests before it, and its reply. */
function details({ evidence }: Deviation): string {
  const { request, httpStatus, reply, steps } = evidence
  const before =
    steps.length === 0
      ? ''
      : `<details><summary>${counted(steps.length, 'request')} before it</summary><pre>${escapeMarkup(steps.join('\n'))}</pre></details>`
  return `<p><code>${escapeMarkup(request)}</code> <span class="quiet">answered HTTP ${httpStatus}</span></p>
<details><summary>The reply</summary><pre>${escapeMarkup(formatted(reply))}</pre></details>${before}`
}

function formatted(text: string): string {
  try {
    return JSON.stringify(JSON.parse(text), null, 2)
  } catch {
    return text
  }
}

function usageSection(report: Report, summary: Summary): string {
  const items = usageTexts(report, summary).map((text) => `<li>${escapeMarkup(text)}</li>`)
  if (items.length === 0) return ''
  return `<section class="s-choices"><h2>Used by consumers</h2><ul>${items.join('')}</ul></section>`
}

/** The section about mistakes of clients. */
function clientSection({ client = [] }: Report): string {
  if (client.length === 0) return ''
  const items = client.map((issue) => `<li><pre>${escapeMarkup(describeIssue(issue))}</pre></li>`)
  return `<section class="s-choices"><h2>Client</h2><ul>${items.join('')}</ul></section>`
}

function flakySection({ flaky }: Summary): string {
  if (flaky.length === 0) return ''
  const cards = flaky.map((finding) => {
    const { headline, expected, received } = finding.evidence
    return `<article class="card weak"><h4>${escapeMarkup(headline)}</h4>
<p class="quiet"><code>${finding.rule.id}</code> <span class="tag">flaky, does not fail the run</span></p>
${sides(expected, received)}${details(finding)}</article>`
  })
  return `<section class="s-failed"><h2>Flaky</h2><p>${onceOnly}</p>${cards.join('\n')}</section>`
}

/** The implementation choices of the target. */
function choicesSection({ choices }: Report): string {
  const rows = Object.entries(choices).map(
    ([assumption, values]) =>
      `<tr><td><code>${escapeMarkup(assumption)}</code></td><td>${values.map((one) => `<code>${escapeMarkup(one)}</code>`).join('<br>')}</td></tr>`,
  )
  if (rows.length === 0) return ''
  return `<section class="s-choices"><h2>Implementation choices</h2><details><summary>${rows.length} choices</summary><table class="missing">${rows.join('\n')}</table></details></section>`
}

function leftSection({ left, cleanUpCommand }: Summary): string {
  if (left.length === 0) return ''
  const items = left.map((each) => `<li>${escapeMarkup(describeLeft(each))}</li>`)
  const remedy =
    cleanUpCommand === undefined ? '' : `<p>Remove with <code>${escapeMarkup(cleanUpCommand)}</code></p>`
  return `<section class="s-left"><h2>Left on the target</h2><ul>${items.join('')}</ul>${remedy}</section>`
}

/** Expected and received values side by side, the difference marked. */
function sides(expected: string, received: string): string {
  const [left, right] = [expected, received].map(formattedValue)
  const [one, other] = marked(left ?? '', right ?? '')
  return `<div class="sides"><div><h5>Expected</h5><pre>${one}</pre></div><div class="got"><h5>Received</h5><pre>${other}</pre></div></div>`
}

/** A value with its name, as formatted JSON if it is long. */
function formattedValue(text: string): string {
  const [, name = '', value = text] = /^("[^"]+": )?([\s\S]*)$/.exec(text) ?? []
  return value.length > 40 ? name + formatted(value) : text
}

/** Marks the part in which two texts differ. */
function marked(one: string, other: string): readonly [string, string] {
  const most = Math.min(one.length, other.length)
  let start = 0
  while (start < most && one[start] === other[start]) start++
  let end = 0
  while (end < most - start && one.at(-1 - end) === other.at(-1 - end)) end++
  // Texts with little in common are easier to read without marks.
  const isAlike = start + end > most / 3
  return [mark(one), mark(other)]

  function mark(text: string): string {
    if (!isAlike) return escapeMarkup(text)
    const [before, middle, after] = [
      text.slice(0, start),
      text.slice(start, text.length - end),
      text.slice(text.length - end),
    ]
    return `${escapeMarkup(before)}${middle === '' ? '' : `<mark>${escapeMarkup(middle)}</mark>`}${escapeMarkup(after)}`
  }
}

function uncheckedSection({ unchecked }: Summary): string {
  const rows = unchecked.map(
    ([why, rules]) =>
      `<tr><td>${escapeMarkup(why)}</td><td>${rules.length > 4 ? `<details><summary>${rules.length} rules</summary>${codes(rules)}</details>` : codes(rules)}</td></tr>`,
  )
  if (rows.length === 0) return ''
  return `<section class="s-unchecked"><h2>Not checked</h2><table class="missing">${rows.join('\n')}</table></section>`
}

function codes(rules: readonly string[]): string {
  return rules.map((rule) => `<code>${rule}</code>`).join(', ')
}

const marks = { green: '✓', red: '✕', amber: '!', grey: '○' } as const

function row({ line, text, colour, why, findings, excused }: CoveredLine): string {
  const mark = colour === undefined ? '' : marks[colour]
  const notes = excused.map(
    ({ statement, reason }) =>
      `<p class="quiet">○ ${escapeMarkup(statement)} <em>${escapeMarkup(reason)}</em></p>`,
  )
  const beside = [
    ...(why === undefined ? [] : [`<span class="quiet">${escapeMarkup(why)}</span>`]),
    ...rulesOf(findings),
  ]
  return `<div class="row ${colour ?? 'form'}" id="L${line}"><a class="no" href="#L${line}">${line}</a><span class="mark">${mark}</span><div class="text">${textOf(text)}${notes.join('')}</div><div class="beside">${beside.join('')}</div></div>`
}

/** The rules of a line, expanded only for deviations. */
function rulesOf(findings: readonly Finding[]): string[] {
  const flaky = findings
    .filter(({ verdict }) => verdict.kind === 'flaky')
    .map(({ rule }) => `<div class="odd"><code>${rule.id}</code> flaky</div>`)
  const passed = findings.filter(({ verdict }) => verdict.kind === 'passed')
  const failed = findings.flatMap((finding) =>
    evidenceOf(finding).map(({ headline, known }) => {
      const why = known === undefined ? headline : `known: ${known}`
      return `<div class="${known === undefined ? 'bad' : 'odd'}"><code>${finding.rule.id}</code> ${escapeMarkup(why)}</div>`
    }),
  )
  if (passed.length === 0) return [...failed, ...flaky]
  const list = passed
    .map(({ rule }) => `<li><code>${rule.id}</code> ${escapeMarkup(rule.claim)}</li>`)
    .join('')
  const label = passed.length === 1 ? '1 rule passed' : `${passed.length} rules passed`
  return [...failed, ...flaky, `<details><summary>${label}</summary><ul>${list}</ul></details>`]
}

/** A line of the specification with its headings, lists, tables and code rendered. */
function textOf(text: string): string {
  const heading = /^#+ (.+)$/.exec(text)?.[1]
  if (heading !== undefined) return `<h3>${inline(heading)}</h3>`
  if (!text.startsWith('|')) return inline(text.replace(/^ *- /, '• '))
  const [first = '', ...rest] = text
    .slice(1, -1)
    .split('|')
    .map((cell) => cell.trim())
  return `<div class="cells"><span>${inline(first)}</span><span>${rest
    .filter((cell) => cell !== '')
    .map(inline)
    .join(' · ')}</span></div>`
}

function inline(text: string): string {
  return escapeMarkup(text).replaceAll(/`([^`]+)`/g, '<code>$1</code>')
}
