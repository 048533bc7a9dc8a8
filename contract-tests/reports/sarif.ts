import type { Log, Result } from 'sarif'
import { documentPath } from '../rules/sections.ts'
import { safeJson } from './escape.ts'
import { counts, type Deviation, describeEvidence, newDeviations, type Report, restsOn } from './report.ts'

/** The report as SARIF 2.1.0; each deviation is placed on the line of the document that it breaks. */
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
              properties: { section: rule.section, basis: rule.basis, line: rule.line },
            })),
          },
        },
        results: newDeviations(report.findings).map((deviation) => toResult(deviation, report)),
        properties: { harm: report.harm, leftBehind: report.leftBehind },
      },
    ],
  }
  return safeJson(log)
}

function toResult(deviation: Deviation, report: Report): Result {
  const { rule, verdict } = deviation
  const said = describeEvidence(verdict.evidence).map(([label, text]) => `${label}: ${text}`)
  return {
    ruleId: rule.id,
    level: counts(deviation, report) ? 'error' : 'note',
    message: {
      text: [`${rule.claim} (${restsOn(deviation)})`, ...said, `cause: ${verdict.evidence.cause}`].join('\n'),
    },
    locations: [
      {
        physicalLocation: {
          artifactLocation: { uri: documentPath },
          region: { startLine: rule.line },
        },
      },
    ],
    partialFingerprints: { rule: rule.id },
    properties: { basis: rule.basis, reproduction: verdict.evidence.reproduction },
  }
}
