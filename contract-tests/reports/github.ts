import { documentPath } from '../rules/sections.ts'
import { printable } from './escape.ts'
import {
  counts,
  type DeviationGroup,
  groupByCause,
  onceOnly,
  type Report,
  type Unsteady,
  unsteadyFindings,
  whyIncomplete,
} from './report.ts'

/** The report as workflow commands, which GitHub shows beside the lines of the document; one for each cause. */
export function githubReport(report: Report): string {
  const harm = report.harm.map((text) => `::error title=harm done::${data(text)}\n`)
  const incomplete = whyIncomplete(report)
  return [
    ...harm,
    ...(incomplete === undefined
      ? []
      : [`::error title=not everything could be judged::${data(incomplete)}\n`]),
    ...groupByCause(report).map((group) => annotation(group, report)),
    ...unsteadyFindings(report.findings).map(warning),
    ...notices(report),
  ].join('')
}

function annotation({ deviations: [first, ...others] }: DeviationGroup, report: Report): string {
  const { rule, verdict } = first
  const { expected, received, httpStatus } = verdict.evidence
  const more = others.length > 0 ? ` And ${others.length} more for the same reason.` : ''
  const text = `${rule.claim} Expected: ${expected} Received: ${received} (HTTP ${httpStatus})${more}`
  const kind = counts(first, report) ? 'error' : 'warning'
  return `::${kind} file=${documentPath},line=${rule.sentence.line},title=${property(rule.id)}::${data(text)}\n`
}

function warning({ rule, verdict }: Unsteady): string {
  const { expected, received } = verdict.evidence
  const text = `${onceOnly} ${rule.claim} Expected: ${expected} Received: ${received}`
  return `::warning file=${documentPath},line=${rule.sentence.line},title=${property(`unsteady ${rule.id}`)}::${data(text)}\n`
}

/** What the target chooses, in one notice: GitHub shows ten of them at most. */
function notices({ choices }: Report): string[] {
  const all = Object.entries(choices).map(([freedom, chosen]) => `${freedom}: ${chosen.join('; ')}`)
  return all.length === 0 ? [] : [`::notice title=what the target chooses::${data(all.join('. '))}\n`]
}

function data(text: string): string {
  return printable(text).replaceAll('%', '%25').replaceAll('\r', '%0D').replaceAll('\n', '%0A')
}

function property(text: string): string {
  return data(text).replaceAll(':', '%3A').replaceAll(',', '%2C')
}
