import type { Log, Result } from 'sarif'
import { documentPath } from '../rules/sections.ts'
import { safeJson } from './escape.ts'
import {
  counts,
  type Deviation,
  describeEvidence,
  newDeviations,
  onceOnly,
  type Report,
  restsOn,
  type Unsteady,
  unsteadyFindings,
  whyIncomplete,
} from './report.ts'

/** The report as SARIF 2.1.0; each deviation is placed on the line of the document that it breaks. */
export function sarifReport(report: Report): string {
  const incomplete = whyIncomplete(report)
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
              properties: { section: rule.section, source: rule.source, line: rule.sentence.line },
            })),
          },
        },
        invocations: [
          {
            executionSuccessful: incomplete === undefined,
            ...(incomplete !== undefined && {
              toolExecutionNotifications: [{ level: 'error', message: { text: incomplete } }],
            }),
          },
        ],
        results: [
          ...newDeviations(report.findings).map((deviation) =>
            toResult(deviation, counts(deviation, report) ? 'error' : 'note'),
          ),
          ...unsteadyFindings(report.findings).map((finding) => toResult(finding, 'warning', onceOnly)),
        ],
        properties: {
          harm: report.harm,
          leftBehind: report.leftBehind,
          choices: report.choices,
          drawn: report.drawn,
        },
      },
    ],
  }
  return safeJson(log)
}

function toResult(finding: Deviation | Unsteady, level: Result.level, ...first: string[]): Result {
  const { rule, verdict } = finding
  const said = describeEvidence(verdict.evidence).map(([label, text]) => `${label}: ${text}`)
  return {
    ruleId: rule.id,
    level,
    message: {
      text: [
        ...first,
        `${rule.claim} (${restsOn(finding)})`,
        ...said,
        `cause: ${verdict.evidence.cause}`,
      ].join('\n'),
    },
    locations: [
      {
        physicalLocation: {
          artifactLocation: { uri: documentPath },
          region: { startLine: rule.sentence.line },
        },
      },
    ],
    partialFingerprints: { rule: rule.id },
    properties: { source: rule.source, reproduction: verdict.evidence.reproduction },
  }
}
