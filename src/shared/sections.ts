/** The headings of the specification, each with its line. `tests/rules.test.ts` compares them with it. */
export const sections = {
  'What the service does': 5,
  'Resources and their fields': 41,
  'List metadata': 49,
  Pipeline: 58,
  Block: 81,
  Backfill: 120,
  'Pipeline schedule': 145,
  'Pipeline run': 169,
  'Pipeline logs entry': 189,
  'OAuth access token': 202,
  Session: 210,
  'States and transitions': 214,
  Endpoints: 232,
  Summary: 236,
  'Create pipeline': 257,
  'Read pipelines': 274,
  'Create block': 284,
  'Read block': 305,
  'Delete block': 309,
  'Read backfills': 320,
  'Create backfill': 333,
  'Update backfill': 342,
  'Delete backfill': 360,
  'Read pipeline schedules': 364,
  'Trigger pipeline': 375,
  'Read logs': 386,
  'Read OAuth tokens': 399,
  Authentication: 411,
  Events: 433,
  Errors: 437,
  Limits: 453,
  Versioning: 465,
} as const

/** A heading of the specification. */
export type Section = keyof typeof sections

/** The path of the specification in this package. */
export const documentPath = 'docs/spec/pipeline-orchestration-api.md'
