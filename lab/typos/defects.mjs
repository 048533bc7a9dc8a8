/**
 * Planted typos and omissions by file: what each is, the text that it replaces and the replacement. A fourth member names
 * the fast test that must find it, where the compiler cannot.
 */
export const defects = {
  'src/resources/backfill/presenter.ts': [
    ['an attribute of the presenter is misspelt', "'metrics', 'created_at'", "'metrcis', 'created_at'"],
  ],
  'src/resources/backfill/traits.ts': [
    ['an attribute of a trait is misspelt', "{ status: 'initial' }", "{ statsu: 'initial' }"],
    ['a value of a trait is misspelt', "{ status: 'initial' }", "{ status: 'initail' }"],
  ],
  'src/resources/backfill/backfill.ts': [
    ['the attribute that a resource is due at is misspelt', "'due_at'", "'deu_at'"],
    ['an attribute that completes a record is misspelt', '    created_at: now,', '    craeted_at: now,'],
    ['an operation is missing in the row of its resource', ', deleteBackfill],', '],'],
  ],
  'src/resources/backfill/schema.ts': [
    ['the plural that a reference names is misspelt', "plural: 'pipelines'", "plural: 'pipelins'"],
    ['the attribute of a reference is misspelt', "pipeline_uuid: { plural: 'p", "pipeline_uid: { plural: 'p"],
    [
      'an attribute that the policy accepts is misspelt',
      'interval_units: z.nullish',
      'interval_unit: z.nullish',
    ],
  ],
  'src/resources/backfill/operations.ts': [
    ['an operation id is misspelt', "id: 'createBackfill'", "id: 'createBackfil'"],
    ['the section of an operation is misspelt', "section: 'Create backfill'", "section: 'Create backfil'"],
    [
      'the attribute that a parameter filters by is misspelt',
      "attribute: 'pipeline_uuid'",
      "attribute: 'pipeline_id'",
    ],
    ['a query parameter is misspelt', "name: 'include_run_count'", "name: 'include_run_cuont'"],
    ['the parameter of a path is misspelt', '/:pipeline_uuid/backfills/:b', '/:pipeline_uid/backfills/:b'],
  ],
  'src/resources/index.ts': [['a resource is missing in the table', '  logs: log,\n', '']],
  'src/resources/backfill/notes.ts': [
    ['the note of an attribute is missing', /^ {4}name: .*\n/m, ''],
    ['the note of a parameter is missing', /^ {4}include_run_count: .*\n/m, ''],
    ['an assumption that an operation rests on is misspelt', "'backfill-life'", "'backfill-live'"],
  ],
  'src/engine/presenter.ts': [
    ['a switch is misspelt where it is read', "switches['single-metadata']", "switches['single-metadat']"],
  ],
  'src/engine/policy.ts': [
    ['the value of a switch is misspelt where it is read', "!== 'refused'", "!== 'refuse'"],
  ],
  'src/profiles/mage-ai/profile.ts': [
    ['an operation of a profile is misspelt', '    createBackfill: {', '    createBackfil: {'],
    [
      'an attribute that a reply of a profile lacks is misspelt',
      "'event_matchers', 'n",
      "'event_matcher', 'n",
    ],
  ],
  'src/admin/routes/faults.ts': [
    ['the world in the path of an admin route is misspelt', "/:world/faults',", "/:wrld/faults',"],
    ['another parameter in the path of an admin route is misspelt', '/faults/:id', '/faults/:di'],
  ],
  'src/engine/read-options.ts': [
    ['the schema of an option is missing', '  seed: z.optional(z.int()),\n', ''],
  ],
  'src/engine/no-match.ts': [
    ['the code of an error is misspelt', "'record_not_found'", "'record_not_fonud'"],
  ],
  'package.json': [
    ['an export of the package is missing', /^ {4}"\.\/msw": \{[^}]*\},\n/m, '', 'architecture'],
  ],
  'SECURITY.md': [['a limit is missing in SECURITY.md', /^\| `body` .*\n/m, '', 'docs']],
  'panel/src/faults/fault-words.ts': [
    ['the text of a kind of fault is missing in the panel', /^ {2}hang: .*\n/m, ''],
  ],
  'panel/src/overview/happens-next.tsx': [
    [
      'a class is misspelt in a component of the panel',
      'class="cut stretch"',
      'class="cutt stretch"',
      'panel-styles',
    ],
  ],
  'panel/src/styles/overview.css': [
    ['a class is misspelt in a style sheet of the panel', '.cue-strip', '.cue-stirp', 'panel-styles'],
    ['a token is misspelt in a style sheet of the panel', 'var(--ink-3)', 'var(--ikn-3)', 'panel-styles'],
  ],
  'contract-tests/mutants/servers/backfills.ts': [
    ['the rule that a mutant breaks is misspelt', 'create/null-status', 'create/null-statsu'],
  ],
  'contract-tests/rules/backfills.ts': [
    [
      'the mutant of a rule is missing',
      /( +)(\[\n +'put-sample',)/,
      "$1['unbroken', 'A new backfill is in the reply.', response],\n$1$2",
      'rules',
    ],
  ],
  'contract-tests/rules/conventions.ts': [
    [
      'the sentence that a rule rests on is misspelt',
      "'Raw token | `Cookie`",
      "'Raw tokn | `Cookie`",
      'rules',
    ],
  ],
}
