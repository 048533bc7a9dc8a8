import { escapeMarkup } from './escape.ts'
import { bySection, count, type JudgedFinding, type Report } from './report.ts'

const style = `body{font:15px/1.5 system-ui;margin:2rem auto;max-width:70rem;padding:0 1rem}h2{margin:2rem 0 .5rem}
table{border-collapse:collapse;width:100%}td{border-top:1px solid #ddd;padding:.3rem .6rem;vertical-align:top}
.holds{color:#2a7d2a}.broken{color:#b00020;font-weight:600}.known{color:#946c00}.not-reached,.skipped{color:#777}
pre{white-space:pre-wrap;word-break:break-all;background:#f6f6f6;padding:.5rem;margin:.3rem 0}
@media (prefers-color-scheme:dark){body{background:#161616;color:#ddd}td{border-color:#333}pre{background:#222}}`

/** The report as one HTML file that needs nothing else. */
export function htmlReport(report: Report): string {
  const { holds, broken, known, notReached, skipped } = count(report.findings)
  const summary = `${holds} hold, ${broken} broken, ${known} known, ${notReached} not reached, ${skipped} skipped`
  const groups = bySection(report.findings).map(
    ([section, findings]) => `<h2>${escapeMarkup(section)}</h2><table>${findings.map(row).join('')}</table>`,
  )
  return `<!doctype html><html lang="en"><meta charset="utf-8"><meta name="viewport" content="width=device-width">
<title>Contract of ${escapeMarkup(report.target)}</title><style>${style}</style>
<h1>Contract of ${escapeMarkup(report.target)}</h1><p>${summary}; ${report.requests} requests.</p>${groups.join('\n')}</html>\n`
}

function row({ rule, verdict, known }: JudgedFinding): string {
  const name = known === undefined ? verdict.kind : 'known'
  const detail = {
    holds: () => '',
    'not reached': () => escapeMarkup(verdict.kind === 'not reached' ? verdict.missing : ''),
    skipped: () => escapeMarkup(verdict.kind === 'skipped' ? verdict.flag : ''),
    broken: () =>
      verdict.kind === 'broken'
        ? `${known === undefined ? '' : `<p>${escapeMarkup(known)}</p>`}<pre>${escapeMarkup(verdict.evidence.received)}</pre><pre>${escapeMarkup(verdict.evidence.curl)}</pre>`
        : '',
  }[verdict.kind]()
  return `<tr><td class="${name.replace(' ', '-')}">${name}</td><td><code>${escapeMarkup(rule.id)}</code></td><td>${escapeMarkup(rule.claim)}${detail}</td></tr>`
}
