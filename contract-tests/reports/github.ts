import { documentPath, sections } from '../rules/sections.ts'
import { newDeviations, type Report } from './report.ts'

/** The report as workflow commands, which GitHub shows beside the lines of the document. */
export function githubReport(report: Report): string {
  return newDeviations(report.findings)
    .map(({ rule, verdict }) => {
      const text = `${rule.claim} Received: ${verdict.kind === 'broken' ? verdict.evidence.received : ''}`
      const kind = rule.basis === 'stated' ? 'error' : 'warning'
      return `::${kind} file=${documentPath},line=${sections[rule.section]},title=${property(rule.id)}::${data(text)}\n`
    })
    .join('')
}

function data(text: string): string {
  return text.replaceAll('%', '%25').replaceAll('\r', '%0D').replaceAll('\n', '%0A')
}

function property(text: string): string {
  return data(text).replaceAll(':', '%3A').replaceAll(',', '%2C')
}
