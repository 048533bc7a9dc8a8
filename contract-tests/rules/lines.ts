/**
 * The line of the document that each rule rests on, by the prefix and the name of the rule. A rule that is not named here
 * says its line itself, or is one of a table of fields, whose rows are found by name.
 */
export const ruleLines = {
  conventions: { 'list-envelope': 23, 'record-envelope': 23, 'body-envelope': 22, json: 7 },
  'list-metadata': { count: 53, next: 54, 'next-false': 54, 'next-true': 54, schedules: 53, tokens: 53 },
  errors: {
    'http-200-success': 439, 'http-200-unknown-record': 439, 'http-200-unknown-pipeline': 439,
    'http-200-refusal': 439, 'http-200-credentials': 439, 'http-200-sign-in': 439, 'under-error': 439,
    'body-status': 439, code: 444, 'code-not-200': 449, message: 445, type: 446, 'sign-in-code': 448,
    'sign-in-type': 448, 'sign-in-message': 448,
  },
  authentication: {
    'key-in-query': 415, 'key-in-body': 415, 'key-in-header': 415, 'key-needed': 413, 'wrong-key': 413,
    'session-token': 418, 'raw-token-cookie': 422, 'decoded-token-header': 423, 'token-needed': 416,
    'wrong-token': 416,
  },
  'pipeline-create': {
    'returns-pipeline': 272, name: 265, type: 266, 'type-integration': 266, 'type-pyspark': 266,
    'type-streaming': 266, 'name-required': 265, 'type-required': 266, 'type-listed': 266,
    'refused-not-stored': 272, stored: 272,
  },
  'pipeline-new': {
    'uuid-from-name': 62, 'uuid-hyphens': 62, description: 65, 'data-integration': 66, 'executor-config': 67,
    'executor-count': 68, 'executor-type': 69, 'notification-config': 70, 'spark-config': 71, 'updated-at': 72,
    blocks: 73, callbacks: 74, conditionals: 75, widgets: 76,
  },
  'pipeline-read': {
    'lists-all': 276, one: 276, unknown: 276, 'schedules-when-asked': 280, 'schedules-only-when-asked': 280,
    'schedules-in-list': 280, 'schedules-are-its-own': 280,
  },
  'pipeline-extensions': { present: 77, empty: 77 },
  'block-create': {
    'eight-fields': 303, name: 290, type: 291, content: 295, language: 297, config: 293, configuration: 294,
    priority: 299, upstream: 300, 'empty-content': 295, newlines: 295, 'name-required': 290,
    'type-required': 291, 'type-listed': 291, 'language-listed': 297, stored: 286, 'joins-pipeline': 286,
    'unknown-pipeline': 286, 'all-types': 291, 'all-languages': 297, 'several-pipelines': 298,
  },
  'block-uuid': { spaces: 87, generated: 87 },
  'block-new': { status: 100, 'executor-type': 97, downstream: 94, upstream: 93 },
  'block-read': { content: 307, outputs: 307, fields: 307, unknown: 307, 'other-pipeline': 307 },
  'block-delete': {
    'returns-block': 318, fields: 318, 'no-content': 318, 'no-outputs': 318, gone: 311, refused: 318,
    'refused-unchanged': 318, forced: 316, 'block-type': 315, 'leaves-pipeline': 311, unknown: 311,
  },
  'backfill-create': {
    'returns-backfill': 339, name: 338, pipeline: 337, fields: 339, 'null-start-datetime': 339,
    'null-end-datetime': 339, 'null-interval-type': 339, 'null-interval-units': 339, 'null-status': 339,
    'unknown-pipeline': 337, 'put-sample': 340, listed: 335,
  },
  'backfill-states': {
    'new-started-at': 220, 'new-completed-at': 220, 'new-failed-at': 220, initial: 221, running: 221,
    completed: 221, failed: 221, cancelled: 221, 'unknown-status': 221, 'others-updated': 221, removed: 222,
    'removed-returned': 222, 'run-running': 223, 'run-variables': 223,
  },
  timestamps: {
    'backfill-create': 45, 'backfill-update': 45, 'backfill-delete': 45, 'backfill-request': 47, schedules: 46,
    tokens: 46, runs: 46, pipelines: 46,
  },
  'backfill-list': {
    limit: 326, 'limit-one': 326, offset: 327, 'pages-disjoint': 327, 'pipeline-filter': 328,
    'pipeline-filter-complete': 328, 'run-count': 331, 'run-count-only-when-asked': 329, fields: 331,
  },
  'backfill-update': {
    'returns-backfill': 358, name: 354, 'start-datetime': 350, 'end-datetime': 351, 'interval-type': 352,
    'interval-units': 353, variables: 356, partial: 346, stored: 358, unknown: 346, 'unknown-interval': 352,
    'all-intervals': 352,
  },
  'backfill-times': { 'updated-at': 137 },
  'backfill-delete': { 'returns-backfill': 362, fields: 362, 'leaves-list': 362, again: 362 },
  'schedule-list': {
    envelope: 373, belongs: 370, 'one-tag': 371, 'two-tags': 371, 'no-such-tag': 371, 'encoded-tag': 371,
    'token-unique': 159,
  },
  limits: {
    'tags-or': 461, 'limit-tokens': 457, 'offset-tokens': 458, 'limit-logs': 457, 'offset-logs': 458,
    'next-last-page': 459,
  },
  trigger: {
    'returns-run': 384, running: 384, 'event-variables': 384, 'nested-variables': 384, 'empty-body': 384,
    schedule: 381, pipeline: 377, variables: 384, 'not-completed': 384, 'wrong-token': 382,
    'wrong-schedule': 381, 'new-run-each-time': 377,
  },
  logs: { envelope: 397, metadata: 397, 'start-timestamp': 395, 'start-timestamp-past': 395, totals: 397 },
  tokens: {
    envelope: 409, 'own-only': 407, 'not-others': 407, 'active-only': 407, 'show-all': 407,
    'show-all-keeps-active': 407, current: 407,
  },
  'log-file-fields': { name: 200, path: 200, content: 200 },
} as const satisfies Readonly<Record<string, Readonly<Record<string, number>>>> // biome-ignore format: by prefix

/** The line that a table here says for a rule; undefined where none does. */
export function lineOf(id: string): number | undefined {
  const [prefix = '', name = ''] = id.split('/')
  const lines: Readonly<Record<string, Readonly<Record<string, number>>>> = ruleLines
  return lines[prefix]?.[name]
}
