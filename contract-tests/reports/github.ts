import { documentPath } from '../rules/sections.ts'
import type { FindingGroup } from '../runner/causes.ts'
import { printable } from './escape.ts'
import { counted, type Deviation, onceOnly, quoted, type Report, summarize, valuesLine } from './report.ts'

/** The report as workflow commands, which GitHub shows beside the lines of the specification; one for each finding. */
export function githubReport(report: Report): string {
  const { headline, totalsLine, incomplete, groups, flaky, choices } = summarize(report)
  return [
    ...report.harm.map((text) => `::error title=harm done::${data(text)}\n`),
    ...incomplete.map((why) => `::error title=not everything could be checked::${data(why)}\n`),
    ...groups.map(annotation),
    ...flaky.map((finding) => command('warning', finding, `flaky ${finding.rule.id}`, `${onceOnly} `)),
    `::notice title=${property(headline)}::${data(totalsLine)}\n`,
    // GitHub shows ten notices at most.
    ...(choices.length === 0 ? [] : [`::notice title=implementation choices::${data(choices.join('. '))}\n`]),
  ].join('')
}

function annotation({ first, others, fails }: FindingGroup<Deviation>): string {
  const more = others.length > 0 ? ` ${counted(others.length, 'more deviation')} for the same reason.` : ''
  return command(fails ? 'error' : 'warning', first, first.evidence.headline, '', more)
}

function command(kind: string, finding: Deviation, title: string, before = '', after = ''): string {
  const text = `${before}${finding.rule.id}, ${quoted(finding)}. ${valuesLine(finding.evidence)}${after}`
  return `::${kind} file=${documentPath},line=${finding.evidence.sentence.line},title=${property(title)}::${data(text)}\n`
}

function data(text: string): string {
  return printable(text).replaceAll('%', '%25').replaceAll('\r', '%0D').replaceAll('\n', '%0A')
}

function property(text: string): string {
  return data(text).replaceAll(':', '%3A').replaceAll(',', '%2C')
}
