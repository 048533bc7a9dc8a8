import type { Log, Result } from 'sarif'
import { documentPath, sections } from '../rules/sections.ts'
import { type JudgedFinding, newDeviations, type Report } from './report.ts'

/** The report as SARIF 2.1.0; each deviation is placed on the document's section that it breaks. */
export function sarifReport(report: Report): string {
  const log: Log = {
    $schema: 'https://json.schemastore.org/sarif-2.1.0.json',
    version: '2.1.0',
    runs: [
      {
        tool: {
          driver: {
            name: 'pipeline-understudy',
            informationUri: 'https://www.npmjs.com/package/pipeline-understudy',
            rules: report.findings.map(({ rule }) => ({
              id: rule.id,
              shortDescription: { text: rule.claim },
              properties: { section: rule.section, basis: rule.basis },
            })),
          },
        },
        results: newDeviations(report.findings).map(toResult),
      },
    ],
  }
  return `${JSON.stringify(log, null, 2)}\n`
}

function toResult({ rule, verdict }: JudgedFinding): Result {
  const received = verdict.kind === 'broken' ? verdict.evidence.received : ''
  return {
    ruleId: rule.id,
    level: rule.basis === 'stated' ? 'error' : 'warning',
    message: { text: `${rule.claim} Received: ${received}` },
    locations: [
      {
        physicalLocation: {
          artifactLocation: { uri: documentPath },
          region: { startLine: sections[rule.section] },
        },
      },
    ],
    partialFingerprints: { rule: rule.id },
  }
}
