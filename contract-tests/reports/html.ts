import { type CoveredLine, coverageMap } from './coverage-map.ts'
import { escapeMarkup } from './escape.ts'
import { style } from './html-style.ts'
import {
  type CheckedFinding,
  count,
  counts,
  type DeviationGroup,
  groupByCause,
  judged,
  newDeviations,
  notJudged,
  onceOnly,
  type Report,
  repeated,
  restsOn,
  unsteadyFindings,
  whyIncomplete,
} from './report.ts'

/** The report as one HTML file that needs nothing else: what is broken first, then the document as a map. */
export function htmlReport(report: Report): string {
  const title = `Contract of ${escapeMarkup(report.target)}`
  return `<!doctype html>
<html lang="en"><head><meta charset="utf-8"><meta name="viewport" content="width=device-width,initial-scale=1">
<title>${title}</title><style>${style}</style></head><body>
${report.harm.map((text) => `<p class="harm">Harm done: ${escapeMarkup(text)}</p>`).join('\n')}
<header><h1>${title}</h1>${summary(report)}</header>
${filter()}
<main>
${brokenSection(report)}
${unsteadySection(report)}
${missingSection(report)}
${choicesSection(report)}
<section class="s-document"><h2>The document, line by line</h2>
<p class="quiet">✓ holds · ✕ broken · ! known, unsteady, or does not count · ○ not judged, with the reason</p>
<div class="doc">${coverageMap(report).map(row).join('\n')}</div></section>
</main></body></html>
`
}

function summary(report: Report): string {
  const { holds, broken, known, unsteady, notReached, skipped } = count(report.findings)
  const deciding = newDeviations(report.findings).filter((deviation) => counts(deviation, report)).length
  const parts: [name: string, label: string, many: number][] = [
    ['failed', 'failed', deciding],
    ['weak', 'broken, but not counted', broken - deciding],
    ['known', 'known', known],
    ['weak', 'flaky', unsteady],
    ['passed', 'hold', holds],
    ['missed', 'not judged', notReached + skipped],
  ]
  const shown = parts.filter(([, , many]) => many > 0)
  const bar = shown.map(([name, , many]) => `<i class="${name}" style="flex:${many}"></i>`).join('')
  const list = shown.map(([name, label, many]) => `<li class="${name}"><b>${many}</b> ${label}</li>`).join('')
  const incomplete = whyIncomplete(report)
  const again = repeated(report)
  const said = [
    ...(again === undefined ? [] : [`<p class="quiet">${again}</p>`]),
    ...(report.slowed === 0
      ? []
      : [`<p>The target asked for patience ${report.slowed} times, and was given it.</p>`]),
    ...(incomplete === undefined
      ? []
      : [`<p class="harm">Not everything could be judged: ${escapeMarkup(incomplete)}</p>`]),
    ...report.gone.map((rule) => `<p>The baseline is out of date: <code>${rule}</code> holds now.</p>`),
    ...report.notes.map((note) => `<p>${escapeMarkup(note)}</p>`),
    ...(report.leftBehind.length === 0
      ? []
      : [
          `<details><summary>${report.leftBehind.length} left on the target</summary><pre>${report.leftBehind.map(escapeMarkup).join('\n')}</pre></details>`,
        ]),
  ]
  return `<p class="quiet">${judged(report.findings)}; ${report.requests} requests in ${(report.milliseconds / 1_000).toFixed(1)} s; run ${escapeMarkup(report.run)}</p>
<div class="bar" aria-hidden="true">${bar}</div><ul class="counts">${list}</ul>${said.join('\n')}`
}

/** Choices that work without a script. */
function filter(): string {
  const choices = { all: 'everything', broken: 'failed', missing: 'not judged', holds: 'passed' }
  const labels = Object.entries(choices).map(
    ([id, label]) =>
      `<label><input type="radio" name="filter" id="f-${id}"${id === 'all' ? ' checked' : ''}>${label}</label>`,
  )
  return `<fieldset class="filter"><legend>Show</legend>${labels.join('')}</fieldset>`
}

function brokenSection(report: Report): string {
  const groups = groupByCause(report)
  if (groups.length === 0)
    return '<section class="s-broken"><h2>What is broken</h2><p>Nothing that was judged.</p></section>'
  return `<section class="s-broken"><h2>What is broken</h2>${groups.map((group) => card(group, report)).join('\n')}</section>`
}

function card({ cause, deviations }: DeviationGroup, report: Report): string {
  const [first, ...others] = deviations
  const { rule, verdict } = first
  const { expected, received, request, httpStatus, reply, reproduction } = verdict.evidence
  const isDeciding = counts(first, report)
  const rest =
    others.length === 0
      ? ''
      : `<details><summary>and ${others.length} more for the same reason</summary><ul>${others.map(item).join('')}</ul></details>`
  const isGroup = others.length > 0
  const head = isGroup
    ? `<h3>${escapeMarkup(cause)}</h3><p>${escapeMarkup(rule.claim)}</p>`
    : `<h3>${escapeMarkup(rule.claim)}</h3>`
  return `<article class="card${isDeciding ? '' : ' weak'}">${head}
<p class="quiet"><code>${rule.id}</code> · <a href="#L${rule.sentence.line}">line ${rule.sentence.line}</a>, ${escapeMarkup(rule.section)} <span class="tag">${rule.source}${isDeciding ? '' : ', does not count'}</span></p>
${sides(expected, received)}
<p><code>${escapeMarkup(request)}</code> <span class="quiet">answered HTTP ${httpStatus}</span></p>
<details><summary>The reply</summary><pre>${escapeMarkup(reply)}</pre></details>
<details><summary>Reproduce it</summary><pre>${escapeMarkup(reproduction)}</pre></details>${rest}</article>`
}

function unsteadySection({ findings }: Report): string {
  const cards = unsteadyFindings(findings).map(({ rule, verdict }) => {
    const { expected, received, request, httpStatus } = verdict.evidence
    return `<article class="card weak"><h3>${escapeMarkup(rule.claim)}</h3>
<p class="quiet"><code>${rule.id}</code> · <a href="#L${rule.sentence.line}">line ${rule.sentence.line}</a>, ${escapeMarkup(rule.section)} <span class="tag">unsteady, does not count</span></p>
${sides(expected, received)}
<p><code>${escapeMarkup(request)}</code> <span class="quiet">answered HTTP ${httpStatus}</span></p></article>`
  })
  if (cards.length === 0) return ''
  return `<section class="s-broken"><h2>What was seen once only</h2><p>${onceOnly}</p>${cards.join('\n')}</section>`
}

/** How the target does what the document leaves open. */
function choicesSection({ choices }: Report): string {
  const rows = Object.entries(choices).map(
    ([freedom, chosen]) =>
      `<tr><td><code>${escapeMarkup(freedom)}</code></td><td>${chosen.map((one) => `<code>${escapeMarkup(one)}</code>`).join('<br>')}</td></tr>`,
  )
  if (rows.length === 0) return ''
  return `<section class="s-choices"><h2>What the document leaves open, as this target does it</h2><details><summary>${rows.length} choices</summary><table class="missing">${rows.join('\n')}</table></details></section>`
}

function sides(expected: string, received: string): string {
  return `<div class="sides"><div><h4>Expected</h4><pre>${escapeMarkup(expected)}</pre></div><div class="got"><h4>Received</h4><pre>${escapeMarkup(received)}</pre></div></div>`
}

function item(finding: CheckedFinding): string {
  return `<li><code>${finding.rule.id}</code> ${escapeMarkup(finding.rule.claim)} <span class="quiet">(${escapeMarkup(restsOn(finding))})</span></li>`
}

function missingSection({ findings }: Report): string {
  const rows = notJudged(findings).map(
    ([why, rules]) =>
      `<tr><td>${escapeMarkup(why)}</td><td>${rules.length > 4 ? `<details><summary>${rules.length} rules</summary>${codes(rules)}</details>` : codes(rules)}</td></tr>`,
  )
  if (rows.length === 0) return ''
  return `<section class="s-missing"><h2>What was not judged</h2><table class="missing">${rows.join('\n')}</table></section>`
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

/** The rules of a line: deviations are shown, what holds is folded away. */
function rulesOf(findings: readonly CheckedFinding[]): string[] {
  const unsteady = unsteadyFindings(findings).map(
    ({ rule }) => `<div class="odd"><code>${rule.id}</code> unsteady</div>`,
  )
  const broken = findings.filter(({ verdict }) => verdict.kind === 'failed')
  const holding = findings.filter(({ verdict }) => verdict.kind === 'passed')
  const shown = broken.map(({ rule, verdict, known }) => {
    const received = verdict.kind === 'failed' ? verdict.evidence.received : ''
    const why = known === undefined ? `received ${received.slice(0, 120)}` : `known: ${known}`
    return `<div class="${known === undefined ? 'bad' : 'odd'}"><code>${rule.id}</code> ${escapeMarkup(why)}</div>`
  })
  if (holding.length === 0) return [...shown, ...unsteady]
  const list = holding
    .map(({ rule }) => `<li><code>${rule.id}</code> ${escapeMarkup(rule.claim)}</li>`)
    .join('')
  const folded = `<details><summary>${holding.length === 1 ? '1 rule holds' : `${holding.length} rules hold`}</summary><ul>${list}</ul></details>`
  return [...shown, ...unsteady, folded]
}

/** A line of the document as one reads it: its headings, lists, tables and code. */
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
