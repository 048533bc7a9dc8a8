/**
 * Planted typos and omissions by file: the text and its replacement. A third member names the fast test that must find
 * it, if the compiler cannot.
 */
export const defects = {
  'src/resources/backfill/presenter.ts': [["'metrics', 'created_at'", "'metrcis', 'created_at'"]],
  'src/resources/backfill/traits.ts': [
    ["{ status: 'initial' }", "{ statsu: 'initial' }"],
    ["{ status: 'initial' }", "{ status: 'initail' }"],
  ],
  'src/resources/backfill/backfill.ts': [
    ["'due_at'", "'deu_at'"],
    ['    created_at: now,', '    craeted_at: now,'],
    [', deleteBackfill],', '],'],
  ],
  'src/resources/backfill/schema.ts': [
    ["plural: 'pipelines'", "plural: 'pipelins'"],
    ["pipeline_uuid: { plural: 'p", "pipeline_uid: { plural: 'p"],
    ['interval_units: z.nullish', 'interval_unit: z.nullish'],
  ],
  'src/resources/backfill/operations.ts': [
    ["id: 'createBackfill'", "id: 'createBackfil'"],
    ["section: 'Create backfill'", "section: 'Create backfil'"],
    ["attribute: 'pipeline_uuid'", "attribute: 'pipeline_id'"],
    ["name: 'include_run_count'", "name: 'include_run_cuont'"],
    ['/:pipeline_uuid/backfills/:b', '/:pipeline_uid/backfills/:b'],
  ],
  'src/resources/index.ts': [['  logs: log,\n', '']],
  'src/resources/backfill/notes.ts': [
    [/^ {4}name: .*\n/m, ''],
    [/^ {4}include_run_count: .*\n/m, ''],
    ["'backfill-life'", "'backfill-live'"],
  ],
  'src/engine/presenter.ts': [["switches['single-metadata']", "switches['single-metadat']"]],
  'src/engine/policy.ts': [["=== 'refused'", "=== 'refuse'"]],
  'src/profiles/mage-ai/profile.ts': [
    ['    createBackfill: {', '    createBackfil: {'],
    ["'event_matchers', 'n", "'event_matcher', 'n"],
  ],
  'src/admin/routes/faults.ts': [
    ["/:world/faults',", "/:wrld/faults',"],
    ['/faults/:id', '/faults/:di'],
  ],
  'src/engine/read-options.ts': [['  seed: integer(),\n', '']],
  'src/engine/no-match.ts': [["'record_not_found'", "'record_not_fonud'"]],
  'package.json': [[/^ {4}"\.\/msw": \{[^}]*\},\n/m, '', 'architecture']],
  'SECURITY.md': [[/^\| `body` .*\n/m, '', 'docs']],
  'panel/src/faults/fault-words.ts': [[/^ {2}hang: .*\n/m, '']],
  'panel/src/overview/happens-next.tsx': [['class="cut stretch"', 'class="cutt stretch"', 'panel-styles']],
  'panel/src/styles/overview.css': [
    ['.pipelines', '.pipleines', 'panel-styles'],
    ['var(--ink-3)', 'var(--ikn-3)', 'panel-styles'],
  ],
  'contract-tests/mutants/servers/backfills.ts': [['update-backfill/accepted', 'update-backfill/acepted']],
  'contract-tests/rules/backfills.ts': [
    [
      /( +)(\[\n +'put-sample',)/,
      "$1['unbroken', 'A new backfill is in the reply.', response],\n$1$2",
      'rules',
    ],
  ],
  'contract-tests/rules/conventions.ts': [["'Raw token | `Cookie`", "'Raw tokn | `Cookie`", 'rules']],
}
