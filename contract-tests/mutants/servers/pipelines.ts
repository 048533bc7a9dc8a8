import { accepts, ignores, omits, onBody, onRecords, reaches, sent, sets } from '../changes.ts'
import type { BrokenServer } from '../define-mutant.ts'
import { no, says } from './one-line-servers.ts'

const long = '2026-01-31 12:00:00.000000+00:00'
const short = '2026-01-31 12:00:00'
const pipeline = { pipeline: { uuid: 'made_up', name: 'made up', type: 'python' } }

/** Servers that are wrong about pipelines. */
export const pipelines: readonly BrokenServer[] = [
  {
    name: 'hyphens-stay',
    breaks: 'pipeline-new/uuid-hyphens',
    reply: onRecords('createPipeline', (record) => ({ ...record, uuid: String(record.name) })),
  },
  {
    name: 'random-uuid',
    breaks: 'pipeline-new/uuid-from-name',
    reply: onRecords('createPipeline', (record) =>
      String(record.name).includes('-') ? record : { ...record, uuid: 'f00d' },
    ),
  },
  {
    name: 'description-empty-text',
    breaks: 'pipeline-new/description',
    reply: sets('createPipeline', { description: '' }),
  },
  {
    name: 'no-executors',
    breaks: 'pipeline-new/executor-count',
    reply: sets('createPipeline', { executor_count: 0 }),
  },
  {
    name: 'executor-config-null',
    breaks: 'pipeline-new/executor-config',
    reply: sets('createPipeline', { executor_config: null }),
  },
  {
    name: 'updated-when-created',
    breaks: 'pipeline-new/updated-at',
    reply: sets('createPipeline', { updated_at: long }),
  },
  {
    name: 'born-with-a-block',
    breaks: 'pipeline-new/blocks',
    reply: sets('createPipeline', { blocks: [{}] }),
  },
  { name: 'widgets-null', breaks: 'pipeline-new/widgets', reply: sets('createPipeline', { widgets: null }) },
  {
    name: 'every-pipeline-python',
    breaks: 'pipeline-create/type-streaming',
    reply: sets('createPipeline', { type: 'python' }),
  },
  {
    name: 'nameless-pipelines',
    breaks: 'pipeline-create/name-required',
    reply: accepts('createPipeline', pipeline, (passing) => sent(passing, 'pipeline').name === undefined),
  },
  {
    name: 'typeless-pipelines',
    breaks: 'pipeline-create/type-required',
    reply: accepts('createPipeline', pipeline, (passing) => sent(passing, 'pipeline').type === undefined),
  },
  {
    name: 'any-pipeline-type',
    breaks: 'pipeline-create/type-listed',
    reply: accepts(
      'createPipeline',
      { pipeline: { ...pipeline.pipeline, type: 'no-such-type' } },
      (passing) => sent(passing, 'pipeline').type === 'no-such-type',
    ),
  },
  {
    name: 'refused-but-stored',
    breaks: 'pipeline-create/refused-not-stored',
    reply: onBody('listPipelines', (body, passing) => ({
      ...body,
      pipelines: [...(body.pipelines as object[]), ...refusedLater(passing)],
    })),
    request: rememberRefused,
  },
  {
    name: 'list-of-one',
    breaks: 'pipeline-read/lists-all',
    reply: onBody('listPipelines', (body) => ({
      ...body,
      pipelines: (body.pipelines as { uuid: string }[]).filter(({ uuid }) => uuid === 'standing'),
    })),
  },
  {
    name: 'unknown-pipeline-made-up',
    breaks: 'pipeline-read/unknown',
    reply: accepts('readPipeline', pipeline),
  },
  {
    name: 'schedules-never',
    breaks: 'pipeline-read/schedules-when-asked',
    request: ignores('readPipeline', 'include_schedules'),
  },
  {
    name: 'schedules-always',
    breaks: 'pipeline-read/schedules-only-when-asked',
    reply: sets('readPipeline', { schedules: [] }),
  },
  {
    name: 'schedules-not-in-list',
    breaks: 'pipeline-read/schedules-in-list',
    request: ignores('listPipelines', 'include_schedules'),
  },
  {
    name: 'somebody-elses-schedules',
    breaks: 'pipeline-read/schedules-are-its-own',
    reply: onRecords('readPipeline', (record) =>
      record.schedules ? { ...record, schedules: [{ id: 999 }] } : record,
    ),
  },
  {
    name: 'extensions-missing',
    breaks: 'pipeline-extensions/present',
    reply: omits('readPipeline', 'extensions'),
  },
  {
    name: 'extensions-a-list',
    breaks: 'pipeline-extensions/empty',
    reply: sets('readPipeline', { extensions: [] }),
  },
  {
    name: 'iso-updated-at',
    breaks: 'pipeline-fields/updated_at',
    reply: sets('readPipeline', { updated_at: '2026-01-31T12:00:00Z' }),
  },
  {
    name: 'executor-count-text',
    breaks: 'pipeline-fields/executor_count',
    reply: sets('readPipeline', { executor_count: '1' }),
  },
  {
    name: 'short-pipeline-timestamps',
    breaks: 'timestamps/pipelines',
    reply: sets('listPipelines', { updated_at: short }),
  },
  {
    name: 'create-pipeline-says-ok',
    breaks: 'pipeline-create/returns-pipeline',
    reply: onBody('createPipeline', () => ({ ok: true })),
  },
  says('renames-pipelines', 'pipeline-create/name', 'createPipeline', { name: 'another' }),
  says('every-pipeline-pyspark', 'pipeline-create/type', 'createPipeline', { type: 'pyspark' }),
  ...(['integration', 'pyspark'] as const).map((type) =>
    no(
      `no-${type}`,
      `pipeline-create/type-${type}`,
      'createPipeline',
      (passing) => sent(passing, 'pipeline').type === type,
    ),
  ),
  no('write-only-pipelines', 'pipeline-create/stored', 'readPipeline'),
  says('reads-another-pipeline', 'pipeline-read/one', 'readPipeline', { uuid: 'another' }),
  says('data-integration-object', 'pipeline-new/data-integration', 'createPipeline', {
    data_integration: {},
  }),
  says('executor-type-text', 'pipeline-new/executor-type', 'createPipeline', { executor_type: '' }),
  ...(['notification', 'spark'] as const).map((kind) =>
    says(`${kind}-config-null`, `pipeline-new/${kind}-config`, 'createPipeline', {
      [`${kind}_config`]: null,
    }),
  ),
  ...(['callbacks', 'conditionals'] as const).map((field) =>
    says(`${field}-null`, `pipeline-new/${field}`, 'createPipeline', { [field]: null }),
  ),
]

/** A server that keeps what it refuses: the name is remembered, and listed from then on. */
const refused: string[] = []
function rememberRefused(passing: Parameters<NonNullable<BrokenServer['request']>>[0]): undefined {
  const { name, type } = sent(passing, 'pipeline')
  if (reaches('createPipeline', passing) && type === 'no-such-type') refused.push(String(name))
  return undefined
}
function refusedLater(_: unknown): object[] {
  return refused.map((name) => ({ uuid: name, name, updated_at: null }))
}
