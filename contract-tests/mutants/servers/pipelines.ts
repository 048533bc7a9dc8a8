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
    'pipeline-new/uuid-hyphens',
    onRecords('createPipeline', (record) => ({ ...record, uuid: String(record.name) })),
  ],
  'random-uuid': [
    'pipeline-new/uuid-from-name',
    onRecords('createPipeline', (record) =>
      String(record.name).includes('-') ? record : { ...record, uuid: 'f00d' },
    ),
  ],
  'description-empty-text': ['pipeline-new/description', sets('createPipeline', { description: '' })],
  'no-executors': ['pipeline-new/executor-count', sets('createPipeline', { executor_count: 0 })],
  'executor-config-null': ['pipeline-new/executor-config', sets('createPipeline', { executor_config: null })],
  'updated-when-created': ['pipeline-new/updated-at', sets('createPipeline', { updated_at: long })],
  'born-with-a-block': ['pipeline-new/blocks', sets('createPipeline', { blocks: [{}] })],
  'widgets-null': ['pipeline-new/widgets', sets('createPipeline', { widgets: null })],
  'every-pipeline-python': ['pipeline-create/type-streaming', sets('createPipeline', { type: 'python' })],
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
    'pipeline-create/refused-not-stored',
    { reply: onList('listPipelines', (list) => [...list, ...refusedPipelines()]), request: rememberRefused },
  ],
  'list-of-one': [
    'pipeline-read/lists-all',
    onList('listPipelines', (list) => list.filter(({ uuid }) => uuid === 'standing')),
  ],
  'unknown-pipeline-made-up': ['pipeline-read/unknown', accepts('readPipeline', pipeline)],
  'schedules-never': [
    'pipeline-read/schedules-when-asked',
    { request: ignores('readPipeline', 'include_schedules') },
  ],
  'schedules-always': ['pipeline-read/schedules-only-when-asked', sets('readPipeline', { schedules: [] })],
  'schedules-not-in-list': [
    'pipeline-read/schedules-in-list',
    { request: ignores('listPipelines', 'include_schedules') },
  ],
  'somebody-elses-schedules': [
    'pipeline-read/schedules-are-its-own',
    onRecords('readPipeline', (record) =>
      record.schedules ? { ...record, schedules: [{ id: 999 }] } : record,
    ),
  ],
  'extensions-missing': ['pipeline-extensions/present', omits('readPipeline', 'extensions')],
  'extensions-a-list': ['pipeline-extensions/empty', sets('readPipeline', { extensions: [] })],
  'iso-updated-at': [
    'pipeline-fields/updated_at',
    sets('readPipeline', { updated_at: '2026-01-31T12:00:00Z' }),
  ],
  'executor-count-text': ['pipeline-fields/executor_count', sets('readPipeline', { executor_count: '1' })],
  'short-pipeline-timestamps': ['timestamps/pipelines', sets('listPipelines', { updated_at: short })],
  'create-pipeline-says-ok': [
    'pipeline-create/returns-pipeline',
    onBody('createPipeline', () => ({ ok: true })),
  ],
  'renames-pipelines': ['pipeline-create/name', sets('createPipeline', { name: 'another' })],
  'every-pipeline-pyspark': ['pipeline-create/type', sets('createPipeline', { type: 'pyspark' })],
  ...forEach(['integration', 'pyspark'], (type) => [
    `no-${type}`,
    [`pipeline-create/type-${type}`, refuses('createPipeline', sends('pipeline', { type }))],
  ]),
  'write-only-pipelines': ['pipeline-create/stored', refuses('readPipeline')],
  'reads-another-pipeline': ['pipeline-read/one', sets('readPipeline', { uuid: 'another' })],
  'data-integration-object': [
    'pipeline-new/data-integration',
    sets('createPipeline', { data_integration: {} }),
  ],
  'executor-type-text': ['pipeline-new/executor-type', sets('createPipeline', { executor_type: '' })],
  ...forEach(['notification', 'spark'], (kind) => [
    `${kind}-config-null`,
    [`pipeline-new/${kind}-config`, sets('createPipeline', { [`${kind}_config`]: null })],
  ]),
  ...forEach(['callbacks', 'conditionals'], (field) => [
    `${field}-null`,
    [`pipeline-new/${field}`, sets('createPipeline', { [field]: null })],
  ]),
})

/** The names of pipelines that were refused, and are listed all the same. */
const refused: string[] = []
function rememberRefused(passing: Passing): undefined {
  const { name, type } = sent(passing, 'pipeline')
  if (reaches('createPipeline', passing) && type === 'no-such-type') refused.push(String(name))
  return undefined
}
function refusedPipelines(): object[] {
  return refused.map((name) => ({ uuid: name, name, updated_at: null }))
}
