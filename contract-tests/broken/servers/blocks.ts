import { accepts, ignores, omits, onRecords, reaches, refuses, sent, sets } from '../changes.ts'
import type { BrokenServer } from '../define-broken.ts'

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
]
