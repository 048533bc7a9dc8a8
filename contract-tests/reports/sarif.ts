import type { Log, Result } from 'sarif'
import { documentPath } from '../rules/sections.ts'
import { deviationKey } from '../runner/difference.ts'
import { safeJson } from './escape.ts'
import {
  affectsExitCode,
  type Deviation,
  describeEvidence,
  onceOnly,
  quoted,
  type Report,
  summarize,
} from './report.ts'

/** The report as SARIF 2.1.0; each failed rule is on the line of the specification that it violates. */
export function sarifReport(report: Report): string {
  const { totals, incomplete, groups, flaky } = summarize(report)
  const log: Log = {
    $schema: 'https://json.schemastore.org/sarif-2.1.0.json',
    version: '2.1.0',
    runs: [
      {
        tool: {
          driver: {
            name: 'pipeline-understudy',
            version: report.version,
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
            executionSuccessful: incomplete.length === 0,
            ...(incomplete.length > 0 && {
              toolExecutionNotifications: incomplete.map((text) => ({ level: 'error', message: { text } })),
            }),
          },
        ],
        results: [
          ...groups.flatMap(({ all }) =>
            all.map((each) => toResult(each, affectsExitCode(each, report) ? 'error' : 'note')),
          ),
          ...flaky.map((finding) => toResult(finding, 'warning', onceOnly)),
        ],
        properties: {
          totals,
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

function toResult(finding: Deviation, level: Result.level, ...before: string[]): Result {
  const { rule, evidence } = finding
  const { headline, sentence, reproduction } = evidence
  const details = describeEvidence(evidence).map(([label, text]) => `${label}: ${text}`)
  return {
    ruleId: rule.id,
    level,
    message: { text: [...before, headline, quoted(finding), ...details].join('\n') },
    locations: [
      { physicalLocation: { artifactLocation: { uri: documentPath }, region: { startLine: sentence.line } } },
    ],
    partialFingerprints: { rule: rule.id, deviation: deviationKey(evidence) },
    properties: { source: rule.source, reproduction },
  }
}
