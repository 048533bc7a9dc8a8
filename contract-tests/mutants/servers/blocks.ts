import { accepts, ignores, omits, onBody, onRecords, reaches, refuses, sent, sets } from '../changes.ts'
import type { BrokenServer, Passing } from '../define-mutant.ts'
import { no, says, yes } from './one-line-servers.ts'

const nobody = ({ path }: Passing) => path.includes('no_such_pipeline')

/** Servers that are wrong about blocks. */
export const blocks: readonly BrokenServer[] = [
  {
    name: 'create-block-whole',
    breaks: 'block-create/eight-fields',
    reply: sets('createBlock', { uuid: 'whole' }),
  },
  {
    name: 'create-block-without-config',
    breaks: 'block-create/eight-fields',
    reply: omits('createBlock', 'config'),
  },
  {
    name: 'newlines-converted',
    breaks: 'block-create/newlines',
    reply: onRecords('createBlock', (record) => ({
      ...record,
      content: String(record.content).replaceAll('/n', '\n'),
    })),
  },
  {
    name: 'content-template',
    breaks: 'block-create/empty-content',
    reply: onRecords('createBlock', (record) => ({ ...record, content: record.content || '# write here' })),
  },
  {
    name: 'priority-forgotten',
    breaks: 'block-create/priority',
    reply: sets('createBlock', { priority: null }),
  },
  {
    name: 'upstream-forgotten',
    breaks: 'block-create/upstream',
    reply: sets('createBlock', { upstream_blocks: [] }),
  },
  {
    name: 'configuration-forgotten',
    breaks: 'block-create/configuration',
    reply: sets('createBlock', { configuration: {} }),
  },
  {
    name: 'any-block-type',
    breaks: 'block-create/type-listed',
    reply: accepts('createBlock', { block: {} }, (passing) => sent(passing, 'block').type === 'no_such_type'),
  },
  {
    name: 'any-language',
    breaks: 'block-create/language-listed',
    reply: accepts('createBlock', { block: {} }, (passing) => sent(passing, 'block').language === 'cobol'),
  },
  {
    name: 'no-sensors',
    breaks: 'block-create/all-types',
    reply: refuses('createBlock', (passing) => sent(passing, 'block').type === 'sensor'),
  },
  {
    name: 'no-r',
    breaks: 'block-create/all-languages',
    reply: refuses('createBlock', (passing) => sent(passing, 'block').language === 'r'),
  },
  {
    name: 'blocks-in-one-pipeline',
    breaks: 'block-create/several-pipelines',
    request: (passing) =>
      reaches('createBlock', passing) && sent(passing, 'block').pipelines
        ? { body: { block: { ...sent(passing, 'block'), pipelines: [] } } }
        : undefined,
  },
  {
    name: 'blocks-not-in-pipeline',
    breaks: 'block-create/joins-pipeline',
    reply: sets('readPipeline', { blocks: [] }),
  },
  {
    name: 'spaces-to-hyphens',
    breaks: 'block-uuid/spaces',
    reply: onRecords('readBlock', (record) => ({
      ...record,
      uuid: String(record.uuid).replaceAll('_', '-'),
    })),
  },
  { name: 'block-ready', breaks: 'block-new/status', reply: sets('readBlock', { status: 'ready' }) },
  {
    name: 'downstream-unknown',
    breaks: 'block-new/downstream',
    reply: sets('readBlock', { downstream_blocks: [] }),
  },
  { name: 'read-block-without-content', breaks: 'block-read/content', reply: omits('readBlock', 'content') },
  { name: 'outputs-null', breaks: 'block-read/outputs', reply: sets('readBlock', { outputs: null }) },
  { name: 'read-block-without-color', breaks: 'block-read/fields', reply: omits('readBlock', 'color') },
  {
    name: 'deleted-block-with-content',
    breaks: 'block-delete/no-content',
    reply: sets('deleteBlock', { content: '' }),
  },
  {
    name: 'deleted-block-with-outputs',
    breaks: 'block-delete/no-outputs',
    reply: sets('deleteBlock', { outputs: [] }),
  },
  {
    name: 'always-forces',
    breaks: 'block-delete/refused',
    request: (passing) =>
      reaches('deleteBlock', passing) ? { path: `${passing.path}?force=True` } : undefined,
  },
  { name: 'never-forces', breaks: 'block-delete/forced', request: ignores('deleteBlock', 'force') },
  {
    name: 'deletes-nothing',
    breaks: 'block-delete/gone',
    request: (passing) =>
      reaches('deleteBlock', passing) && !passing.query.has('force') && !passing.query.has('block_type')
        ? { method: 'GET' }
        : undefined,
  },
  {
    name: 'has-callback-text',
    breaks: 'block-fields/has_callback',
    reply: sets('readBlock', { has_callback: 'false' }),
  },
  {
    name: 'executor-type-missing',
    breaks: 'block-fields/executor_type',
    reply: omits('readBlock', 'executor_type'),
  },
  says('renames-blocks', 'block-create/name', 'createBlock', { name: 'another' }),
  says('every-block-custom', 'block-create/type', 'createBlock', { type: 'custom' }),
  says('content-forgotten', 'block-create/content', 'createBlock', { content: '' }),
  says('every-block-sql', 'block-create/language', 'createBlock', { language: 'sql' }),
  says('config-forgotten', 'block-create/config', 'createBlock', { config: {} }),
  ...(['name', 'type'] as const).map((field) =>
    yes(
      `block-${field}-optional`,
      `block-create/${field}-required`,
      'createBlock',
      { block: {} },
      (passing) => sent(passing, 'block')[field] === undefined,
    ),
  ),
  no('write-only-blocks', 'block-create/stored', 'readBlock'),
  yes('blocks-of-nobody', 'block-create/unknown-pipeline', 'createBlock', { block: {} }, nobody),
  says('random-block-uuid', 'block-uuid/generated', 'readBlock', { uuid: 'f00d' }),
  says('other-executor', 'block-new/executor-type', 'readBlock', { executor_type: 'k8s' }),
  says('upstream-unknown', 'block-new/upstream', 'readBlock', { upstream_blocks: [] }),
  yes('any-block', 'block-read/unknown', 'readBlock', { block: {} }, ({ path }) => path.endsWith('_no_such')),
  yes('block-everywhere', 'block-read/other-pipeline', 'readBlock', { block: {} }, ({ path }) =>
    path.endsWith('_load'),
  ),
  {
    name: 'delete-block-says-ok',
    breaks: 'block-delete/returns-block',
    reply: onBody('deleteBlock', () => ({ deleted: true })),
  },
  { name: 'deleted-block-colourless', breaks: 'block-delete/fields', reply: omits('deleteBlock', 'color') },
  {
    name: 'refuses-but-deletes',
    breaks: 'block-delete/refused-unchanged',
    request: (passing) =>
      reaches('deleteBlock', passing) && !passing.query.has('force')
        ? { path: `${passing.path}?force=True` }
        : undefined,
    reply: refuses('deleteBlock', ({ query }) => !query.has('force')),
  },
  no('no-block-type-query', 'block-delete/block-type', 'deleteBlock', ({ query }) => query.has('block_type')),
  {
    name: 'deleted-block-stays',
    breaks: 'block-delete/leaves-pipeline',
    reply: onRecords('readPipeline', (record) => ({
      ...record,
      blocks: [{ uuid: `${String(record.uuid).replace(/_home\d+$/, '')}_transform` }],
    })),
  },
  yes(
    'delete-block-twice',
    'block-delete/unknown',
    'deleteBlock',
    { block: {} },
    ({ search }) => search === '',
  ),
]
