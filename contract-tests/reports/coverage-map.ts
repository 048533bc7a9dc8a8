import { documentLines } from '../rules/document.ts'
import { type NotCheckable, notCheckable } from '../rules/not-checkable.ts'
import { sections } from '../rules/sections.ts'
import type { Finding } from '../runner/verdicts.ts'
import { affectsExitCode, newDeviations, type Report } from './report.ts'

/** The result of a line of the specification: `amber` is a known deviation, or one that does not affect the exit code. */
export type Colour = 'green' | 'red' | 'amber' | 'grey'

/** A line of the specification with its findings. */
export interface CoveredLine {
  readonly line: number
  readonly text: string
  /** Undefined for headings and separator lines of tables. */
  readonly colour: Colour | undefined
  /** The reason why a line is grey. */
  readonly why: string | undefined
  readonly findings: readonly Finding[]
  /** The statements of the section that begins here that no client can check. */
  readonly excused: readonly NotCheckable[]
}

/** The specification line by line, each with its findings. */
export function coverageMap(report: Pick<Report, 'findings' | 'strict'>): CoveredLine[] {
  const at = (line: number) => report.findings.filter(({ rule }) => rule.sentence.line === line)
  const headings = new Map<number, string>(Object.entries(sections).map(([name, line]) => [line, name]))
  return documentLines().flatMap((text, index): CoveredLine[] => {
    const line = index + 1
    const findings = at(line)
    if (text.trim() === '' || /^\|[-|: ]+\|$/.test(text)) return []
    const isForm = text.startsWith('#') || isTableHead(index)
    const section = headings.get(line)
    const excused = notCheckable.filter((entry) => entry.section === section)
    const isSilent = isForm && findings.length === 0
    return [
      {
        line,
        text,
        findings,
        excused,
        colour: isSilent ? undefined : colourOf(findings, report),
        why: isSilent ? undefined : whyGrey(findings, text),
      },
    ]
  })
}

function isTableHead(index: number): boolean {
  return /^\|[-|: ]+\|$/.test(documentLines()[index + 1] ?? '')
}

function colourOf(findings: readonly Finding[], report: Pick<Report, 'strict'>): Colour {
  if (newDeviations(findings).some((deviation) => affectsExitCode(deviation, report))) return 'red'
  if (findings.some(({ verdict }) => verdict.kind === 'failed' || verdict.kind === 'flaky')) return 'amber'
  return findings.some(({ verdict }) => verdict.kind === 'passed') ? 'green' : 'grey'
}

function whyGrey(findings: readonly Finding[], text: string): string | undefined {
  if (findings.length === 0)
    return text.includes('not shown')
      ? 'The specification promises nothing here.'
      : 'No rule rests on this line alone.'
  const reasons = findings.flatMap(({ verdict }) =>
    verdict.kind === 'blocked'
      ? [verdict.missing]
      : verdict.kind === 'skipped'
        ? [`skipped: ${verdict.flag}`]
        : [],
  )
  return reasons.length === findings.length ? [...new Set(reasons)].join(' ') : undefined
}
