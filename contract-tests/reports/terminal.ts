import { styleText } from 'node:util'
import { bySection, count, type JudgedFinding, type Report } from './report.ts'

/** The report a person reads: by section, worst first, with the evidence of each deviation. */
export function terminalReport(report: Report, hasColour = false): string {
  const paint = (colour: Parameters<typeof styleText>[0], text: string) =>
    hasColour ? styleText(colour, text, { validateStream: false }) : text
  const lines: string[] = []
  const groups = bySection(report.findings).toSorted(([, one], [, other]) => badness(other) - badness(one))
  for (const [section, findings] of groups) {
    const { holds, broken, known, notReached, skipped } = count(findings)
    const parts = [
      `${holds} hold`,
      ...(broken ? [paint('red', `${broken} broken`)] : []),
      ...(known ? [paint('yellow', `${known} known`)] : []),
      ...(notReached ? [`${notReached} not reached`] : []),
      ...(skipped ? [`${skipped} skipped`] : []),
    ]
    lines.push(`${paint('bold', section)}: ${parts.join(', ')}`)
    for (const finding of findings) lines.push(...describe(finding, paint))
  }
  const total = count(report.findings)
  lines.push('')
  for (const rule of report.gone) lines.push(paint('red', `The baseline is out of date: ${rule} holds now.`))
  if (report.leftBehind.length > 0) {
    lines.push(
      'Left on the target (not deletable through the documented API):',
      ...report.leftBehind.map((path) => `  ${path}`),
    )
  }
  lines.push(
    `${report.target}: ${total.holds} hold, ${total.broken} broken, ${total.known} known, ${total.notReached} not reached, ${total.skipped} skipped; ${report.requests} requests in ${seconds(report.milliseconds)}, ${seconds(report.waited)} of them waiting for replies.`,
  )
  return `${lines.join('\n')}\n`
}

function seconds(milliseconds: number): string {
  return `${(milliseconds / 1_000).toFixed(1)} s`
}

type Paint = (colour: 'red' | 'yellow' | 'dim', text: string) => string

function describe({ rule, verdict, known }: JudgedFinding, paint: Paint): string[] {
  switch (verdict.kind) {
    case 'holds':
      return []
    case 'broken':
      if (known !== undefined) return [`  ${paint('yellow', 'known')}  ${rule.id}: ${known}`]
      return [
        `  ${paint('red', 'broken')} ${rule.id}`,
        `         documented: ${verdict.evidence.documented} (${rule.section}, ${rule.basis})`,
        `         received:   ${verdict.evidence.received}`,
        `         reproduce:  ${verdict.evidence.curl}`,
      ]
    case 'not reached':
      return [`  ${paint('dim', 'not reached')} ${rule.id}: ${verdict.missing}`]
    case 'skipped':
      return []
  }
}

function badness(findings: readonly JudgedFinding[]): number {
  const { broken, known, notReached } = count(findings)
  return broken * 10_000 + known * 100 + notReached
}
