import { isObject } from '../../runner/is-object.ts'
import {
  accepts,
  ignores,
  omits,
  onBody,
  onError,
  onRecords,
  reaches,
  refuses,
  sends,
  sent,
  sets,
} from '../changes.ts'
import type { Json, Passing } from '../define-mutant.ts'
import { defineMutants, forEach } from './define-mutants.ts'

const nobody = ({ path }: Passing) => path.includes('no_such_pipeline')

/** Mutants of blocks. */
export const blocks = defineMutants({
  'create-block-whole': ['block-create/eight-fields', sets('createBlock', { uuid: 'whole' })],
  'create-block-without-config': ['block-create/eight-fields', omits('createBlock', 'config')],
  'newlines-converted': [
    'block-create/newlines',
    onRecords('createBlock', (record) => ({
      ...record,
      content: String(record.content).replaceAll('/n', '\n'),
    })),
  ],
  'content-template': [
    'create-block/values',
    onRecords('createBlock', (record) => ({ ...record, content: record.content || '# write here' })),
  ],
  'priority-forgotten': ['create-block/values', sets('createBlock', { priority: null })],
  'upstream-forgotten': ['create-block/values', sets('createBlock', { upstream_blocks: [] })],
  'configuration-forgotten': ['create-block/values', sets('createBlock', { configuration: {} })],
  'any-block-type': [
    'block-create/type-listed',
    accepts('createBlock', { block: {} }, sends('block', { type: 'no_such_type' })),
  ],
  'any-language': [
    'block-create/language-listed',
    accepts('createBlock', { block: {} }, sends('block', { language: 'cobol' })),
  ],
  'no-sensors': ['create-block/accepted', refuses('createBlock', sends('block', { type: 'sensor' }))],
  'no-r': ['create-block/accepted', refuses('createBlock', sends('block', { language: 'r' }))],
  'blocks-in-one-pipeline': [
    'create-block/read-back',
    {
      request: (passing) =>
        reaches('createBlock', passing) && sent(passing, 'block').pipelines
          ? { body: { block: { ...sent(passing, 'block'), pipelines: [] } } }
          : undefined,
    },
  ],
  'blocks-not-in-pipeline': ['create-block/read-back', sets('readPipeline', { blocks: [] })],
  'spaces-to-hyphens': [
    'create-block/read-back',
    onRecords('readBlock', (record) => ({ ...record, uuid: String(record.uuid).replaceAll('_', '-') })),
  ],
  'unsafe-block-uuid': [
    'block-uuid/safe',
    onRecords('readPipeline', ({ blocks, ...record }) => ({
      ...record,
      blocks: [blocks].flat().map((block) => ({
        ...(isObject(block) && { ...block, uuid: String(block.uuid).replaceAll('_', '/') }),
      })),
    })),
  ],
  'block-ready': ['block-new/status', sets('readBlock', { status: 'ready' })],
  'downstream-unknown': ['create-block/unchanged-neighbours', sets('readBlock', { downstream_blocks: [] })],
  'read-block-without-content': ['read-block/attributes', omits('readBlock', 'content')],
  'outputs-null': ['block-fields/outputs', sets('readBlock', { outputs: null })],
  'read-block-without-color': ['read-block/attributes', omits('readBlock', 'color')],
  'deleted-block-with-content': ['block-delete/no-content', sets('deleteBlock', { content: '' })],
  'deleted-block-with-outputs': ['block-delete/no-outputs', sets('deleteBlock', { outputs: [] })],
  'always-forces': [
    'block-delete/refused',
    {
      request: (passing) =>
        reaches('deleteBlock', passing) ? { path: `${passing.path}?force=True` } : undefined,
    },
  ],
  'never-forces': ['delete-block/accepted', { request: ignores('deleteBlock', 'force') }],
  'deletes-nothing': [
    'delete-block/read-back',
    {
      request: (passing) =>
        reaches('deleteBlock', passing) && !passing.query.has('force') && !passing.query.has('block_type')
          ? { method: 'GET' }
          : undefined,
    },
  ],
  'has-callback-text': ['block-fields/has_callback', sets('readBlock', { has_callback: 'false' })],
  'executor-type-missing': ['read-block/attributes', omits('readBlock', 'executor_type')],
  'renames-blocks': ['create-block/values', sets('createBlock', { name: 'another' })],
  'every-block-custom': ['create-block/values', sets('createBlock', { type: 'custom' })],
  'content-forgotten': ['create-block/values', sets('createBlock', { content: '' })],
  'every-block-sql': ['create-block/values', sets('createBlock', { language: 'sql' })],
  'config-forgotten': ['create-block/values', sets('createBlock', { config: {} })],
  ...forEach(['name', 'type'], (field) => [
    `block-${field}-optional`,
    [
      `block-create/${field}-required`,
      accepts('createBlock', { block: {} }, sends('block', { [field]: undefined })),
    ],
  ]),
  'write-only-blocks': ['create-block/read-back', refuses('readBlock')],
  'blocks-of-nobody': ['create-block/refuses', accepts('createBlock', { block: {} }, nobody)],
  'random-block-uuid': ['create-block/read-back', sets('readBlock', { uuid: 'f00d' })],
  'other-executor': ['block-new/executor-type', sets('readBlock', { executor_type: 'k8s' })],
  'upstream-unknown': ['create-block/read-back', sets('readBlock', { upstream_blocks: [] })],
  'any-block': [
    'read-block/refuses',
    accepts('readBlock', { block: {} }, ({ path }) => path.endsWith('_no_such')),
  ],
  'block-everywhere': [
    'read-block/refuses',
    {
      request: recordDeleted,
      reply: accepts(
        'readBlock',
        { block: {} },
        ({ path }) => !path.endsWith('_no_such') && !deleted.has(decodeURIComponent(path)),
      ),
    },
  ],
  'delete-block-says-ok': ['delete-block/envelope', onBody('deleteBlock', () => ({ deleted: true }))],
  'deleted-block-colourless': ['delete-block/attributes', omits('deleteBlock', 'color')],
  'refuses-but-deletes': [
    'delete-block/refused-unchanged',
    {
      request: (passing) =>
        reaches('deleteBlock', passing) && !passing.query.has('force')
          ? { path: `${passing.path}?force=True` }
          : undefined,
      reply: refuses('deleteBlock', ({ query }) => !query.has('force')),
    },
  ],
  'no-block-type-query': [
    'delete-block/accepted',
    refuses('deleteBlock', ({ query }) => query.has('block_type')),
  ],
  'deleted-block-stays': [
    'delete-block/read-back',
    {
      request: recordDeleted,
      reply: onRecords('readPipeline', (record) => ({ ...record, blocks: deletedLater(record) })),
    },
  ],
  'delete-block-twice': [
    'delete-block/refuses',
    onError('deleteBlock', ({ error }) =>
      isObject(error) && error.code === 404 ? { body: { block: {} } } : {},
    ),
  ],
})

/** The uuids of blocks with a deletion request. */
const deleted = new Set<string>()
function recordDeleted(passing: Passing): undefined {
  if (reaches('deleteBlock', passing)) deleted.add(decodeURIComponent(passing.path))
  return undefined
}
/** The blocks of a pipeline, with the deleted ones. */
function deletedLater({ uuid, blocks }: Json): unknown[] {
  const start = `/api/pipelines/${String(uuid)}/blocks/`
  const gone = [...deleted].filter((path) => path.startsWith(start))
  return [...[blocks].flat(), ...gone.map((path) => ({ uuid: path.slice(start.length) }))]
}
