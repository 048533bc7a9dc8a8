import {
  accepts,
  ignores,
  omits,
  onBody,
  onList,
  onRecords,
  reaches,
  refuses,
  sends,
  sent,
  sets,
} from '../changes.ts'
import type { Passing } from '../define-mutant.ts'
import { defineMutants, forEach } from './define-mutants.ts'

const long = '2026-01-31 12:00:00.000000+00:00'
const short = '2026-01-31 12:00:00'
const pipeline = { pipeline: { uuid: 'made_up', name: 'made up', type: 'python' } }

/** Mutants of pipelines. */
export const pipelines = defineMutants({
  'hyphens-stay': [
    'create-pipeline/values',
    onRecords('createPipeline', (record) => ({ ...record, uuid: String(record.name) })),
  ],
  'random-uuid': [
    'create-pipeline/values',
    onRecords('createPipeline', (record) =>
      String(record.name).includes('-') ? record : { ...record, uuid: 'f00d' },
    ),
  ],
  'description-empty-text': ['create-pipeline/values', sets('createPipeline', { description: '' })],
  'no-executors': ['create-pipeline/values', sets('createPipeline', { executor_count: 0 })],
  'executor-config-null': ['create-pipeline/values', sets('createPipeline', { executor_config: null })],
  'updated-when-created': ['create-pipeline/values', sets('createPipeline', { updated_at: long })],
  'born-with-a-block': ['create-pipeline/values', sets('createPipeline', { blocks: [{}] })],
  'widgets-null': ['create-pipeline/values', sets('createPipeline', { widgets: null })],
  'every-pipeline-python': ['create-pipeline/values', sets('createPipeline', { type: 'python' })],
  'nameless-pipelines': [
    'pipeline-create/name-required',
    accepts('createPipeline', pipeline, sends('pipeline', { name: undefined })),
  ],
  'typeless-pipelines': [
    'pipeline-create/type-required',
    accepts('createPipeline', pipeline, sends('pipeline', { type: undefined })),
  ],
  'any-pipeline-type': [
    'pipeline-create/type-listed',
    accepts(
      'createPipeline',
      { pipeline: { ...pipeline.pipeline, type: 'no-such-type' } },
      sends('pipeline', { type: 'no-such-type' }),
    ),
  ],
  'refused-but-stored': [
    'create-pipeline/refused-unchanged',
    { reply: onList('listPipelines', (list) => [...list, ...refusedPipelines()]), request: recordRefused },
  ],
  'list-of-one': [
    'list-pipelines/complete',
    onList('listPipelines', (list) => list.filter(({ uuid }) => uuid === 'standing')),
  ],
  'unknown-pipeline-made-up': ['read-pipeline/refuses', accepts('readPipeline', pipeline)],
  'schedules-never': ['read-pipeline/triggers', { request: ignores('readPipeline', 'include_schedules') }],
  'schedules-always': ['pipeline-read/schedules-only-when-asked', sets('readPipeline', { schedules: [] })],
  'schedules-not-in-list': [
    'list-pipelines/values',
    { request: ignores('listPipelines', 'include_schedules') },
  ],
  'somebody-elses-schedules': [
    'read-pipeline/triggers',
    onRecords('readPipeline', (record) =>
      record.schedules ? { ...record, schedules: [{ id: 999 }] } : record,
    ),
  ],
  'extensions-missing': ['read-pipeline/attributes', omits('readPipeline', 'extensions')],
  'extensions-a-list': ['pipeline-extensions/empty', sets('readPipeline', { extensions: [] })],
  'iso-updated-at': [
    'pipeline-fields/updated_at',
    sets('readPipeline', { updated_at: '2026-01-31T12:00:00Z' }),
  ],
  'executor-count-text': ['pipeline-fields/executor_count', sets('readPipeline', { executor_count: '1' })],
  'short-pipeline-timestamps': ['list-pipelines/timestamps', sets('listPipelines', { updated_at: short })],
  'create-pipeline-says-ok': ['create-pipeline/envelope', onBody('createPipeline', () => ({ ok: true }))],
  'renames-pipelines': ['create-pipeline/values', sets('createPipeline', { name: 'another' })],
  'every-pipeline-pyspark': ['create-pipeline/values', sets('createPipeline', { type: 'pyspark' })],
  ...forEach(['integration', 'pyspark'], (type) => [
    `no-${type}`,
    ['create-pipeline/accepted', refuses('createPipeline', sends('pipeline', { type }))],
  ]),
  'write-only-pipelines': ['create-pipeline/read-back', refuses('readPipeline')],
  'reads-another-pipeline': ['read-pipeline/values', sets('readPipeline', { uuid: 'another' })],
  'data-integration-object': ['create-pipeline/values', sets('createPipeline', { data_integration: {} })],
  'executor-type-text': ['create-pipeline/values', sets('createPipeline', { executor_type: '' })],
  ...forEach(['notification', 'spark'], (kind) => [
    `${kind}-config-null`,
    ['create-pipeline/values', sets('createPipeline', { [`${kind}_config`]: null })],
  ]),
  ...forEach(['callbacks', 'conditionals'], (field) => [
    `${field}-null`,
    ['create-pipeline/values', sets('createPipeline', { [field]: null })],
  ]),
})

/** The names of refused pipelines that the list shows nevertheless. */
const refused: string[] = []
function recordRefused(passing: Passing): undefined {
  const { name, type } = sent(passing, 'pipeline')
  if (reaches('createPipeline', passing) && type === 'no-such-type') refused.push(String(name))
  return undefined
}
function refusedPipelines(): object[] {
  return refused.map((name) => ({ uuid: name, name, updated_at: null }))
}
