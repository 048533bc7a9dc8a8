import * as z from 'zod/mini'
import { withDefault } from '../resources/attributes.ts'
import { blockTypes } from '../resources/block/schema.ts'
import type { RecordOf } from '../resources/records.ts'
import { countPlannedDates } from '../wire/intervals.ts'
import { formatTimestamp, toSeconds } from '../wire/timestamps.ts'
import type { DeriveOf, Profile } from './define-profile.ts'

const signIn = 'Email/username and/or password invalid.'

/** The moment a run left `initial`; null before that. */
const startedAt: DeriveOf<'pipeline_runs'> = (run) =>
  JSON.stringify(run.status === 'initial' ? null : formatTimestamp(run.created_at, 'without-offset'))

const partition = (run: RecordOf<'pipeline_runs'>) =>
  `${run.pipeline_schedule_id}/${formatTimestamp(run.execution_date, 'without-offset').replaceAll(/[-:]/g, '').replace(' ', 'T').replace('.', '_')}`

const blockRuns: DeriveOf<'pipeline_runs'> = (run, model) =>
  JSON.stringify(
    model
      .table('blocks')
      .where('pipeline_uuid', run.pipeline_uuid)
      .map((block, index) => ({
        id: Number(run.id) * 1_000 + index,
        created_at: toSeconds(run.created_at),
        updated_at: toSeconds(run.updated_at),
        pipeline_run_id: run.id,
        block_uuid: block.uuid,
        status: run.status,
        started_at: run.status === 'initial' ? null : formatTimestamp(run.created_at, 'without-offset'),
        completed_at: run.completed_at === null ? null : formatTimestamp(run.completed_at, 'without-offset'),
        metrics: null,
      })),
  )

const ofSchedule =
  (attribute: 'name' | 'token' | 'schedule_type'): DeriveOf<'pipeline_runs'> =>
  (run, model) =>
    JSON.stringify(
      model.table('pipeline_schedules').get(String(run.pipeline_schedule_id))?.[attribute] ?? null,
    )

const countBlocks: DeriveOf<'pipeline_runs'> = (run, model) =>
  String(model.table('blocks').countWhere('pipeline_uuid', run.pipeline_uuid))

/** Every pipeline has both moments from the start; the last change stands for the first where nothing else is known. */
const changedAt: DeriveOf<'pipelines'> = (pipeline, model) =>
  JSON.stringify(formatTimestamp(pipeline.updated_at ?? model.now(), 'iso'))

/** A block without content is written from a template. */
const contentOrTemplate: DeriveOf<'blocks'> = (record) =>
  JSON.stringify(record.content || `# Template code for a ${record.type} block.\n`)

const tags = { tags: z.optional(z.array(z.string())) }

const block = [
  'all_upstream_blocks_executed', 'color', 'configuration', 'downstream_blocks', 'executor_config', 'executor_type',
  'has_callback', 'name', 'language', 'retry_config', 'status', 'type', 'upstream_blocks', 'uuid', 'content',
] as const // biome-ignore format: one list, in the order observed

/** Mage AI 0.9.79, an independent server of this API, where it was seen to differ from the document. */
export const mageAi0979: Profile = {
  name: 'mage-ai-0.9.79',
  switches: {
    bearer: 'decoded', // bearer raw
    'content-type': 'ignored', // form body
    'single-metadata': 'null', // backfill create
    'run-values': 'initial first', // trigger free
    'trigger-body': 'pipeline_run.variables', // trigger
  },
  errors: [
    { when: { type: 'invalid_api_key' }, httpStatus: 401, message: 'Invalid API key.', observed: 'no key' },
    {
      when: { type: 'invalid_oauth_token' },
      httpStatus: 401,
      message: 'Invalid OAuth token.',
      observed: 'garbage token',
    },
    { when: { type: 'expired_oauth_token' }, httpStatus: 401, observed: 'garbage token' },
    {
      when: { type: 'unauthorized_access' },
      message: 'Private access for list only, invalid scope.',
      observed: 'no session: list pipelines',
    },
    { when: { type: 'method_not_allowed' }, httpStatus: 405, isEmpty: true, observed: 'update list path' },
    {
      when: { type: 'record_not_found', operation: 'triggerPipeline' },
      code: 500,
      exception: 'Invalid token for pipeline schedule ID {value}.',
      observed: 'trigger wrong token',
    },
    {
      when: { type: 'record_not_found', missing: 'pipeline' },
      code: 500,
      exception: 'Pipeline {value} does not exist.',
      observed: 'read missing',
    },
    {
      when: { type: 'record_not_found', missing: 'block' },
      code: 400,
      type: 'record_invalid',
      message: 'Block {value} does not exist in pipeline {parent}.',
      observed: 'block read missing',
    },
    { when: { type: 'record_not_found' }, message: signIn, observed: 'backfill update missing' },
    {
      when: { type: 'record_invalid', operation: 'listLogs' },
      message: 'Value is invalid for start_timestamp.',
      observed: 'logs bad ts',
    },
    {
      when: { type: 'record_invalid', operation: 'deleteBlock' },
      code: 500,
      exception: '{message}',
      observed: 'block delete refused',
    },
    { when: { type: 'record_invalid' }, code: 500, exception: '{message}', observed: 'create bad json' },
  ],
  resources: {
    pipelines: {
      adds: {
        cache_block_output_in_memory: false,
        concurrency_config: {},
        created_at: ((pipeline, model) =>
          JSON.stringify(pipeline.updated_at ?? model.now())) satisfies DeriveOf<'pipelines'>,
        remote_variables_dir: null,
        retry_config: {},
        run_pipeline_in_one_process: false,
        settings: { triggers: null },
        tags: ((record) => JSON.stringify(record.tags)) satisfies DeriveOf<'pipelines'>,
        variables_dir: '/srv',
      },
      attributes: { type: withDefault(z.string(), 'python') }, // create bad type
      computes: { updated_at: changedAt },
      formats: { updated_at: 'iso' },
      observed: 'create',
    },
    blocks: {
      adds: { timeout: null },
      computes: { content: contentOrTemplate },
      observed: 'block create',
    },
    backfills: {
      adds: { settings: null },
      computes: {
        total_run_count: (backfill) =>
          backfill.start_datetime === null ? undefined : String(countPlannedDates(backfill)),
      },
      formats: {
        created_at: 'seconds',
        updated_at: 'seconds',
        start_datetime: 'seconds',
        end_datetime: 'seconds',
        started_at: 'without-offset',
        completed_at: 'without-offset',
        failed_at: 'without-offset',
      },
      observed: 'backfills',
    },
    pipeline_schedules: {
      adds: {
        description: null,
        global_data_product_uuid: null,
        last_enabled_at: null,
        repo_path: '/srv',
        next_pipeline_run_date: null,
        pipeline_in_progress_runs_count: null,
      },
      computes: {
        schedule_interval: ({ schedule_interval: interval }) =>
          JSON.stringify(interval === '@once' ? null : interval),
        settings: ({ settings }) => JSON.stringify(Object.keys(settings).length > 0 ? settings : null),
        pipeline_runs_count: () => 'null',
      },
      formats: { created_at: 'seconds', updated_at: 'seconds', start_time: 'without-offset' },
      observed: 'schedules',
    },
    pipeline_runs: {
      adds: {
        executor_type: 'local_python',
        started_at: startedAt,
        variables: ((run) =>
          JSON.stringify({
            ...run.variables,
            execution_partition: partition(run),
          })) satisfies DeriveOf<'pipeline_runs'>,
      },
      formats: {
        created_at: 'seconds',
        updated_at: 'seconds',
        execution_date: 'without-offset',
        completed_at: 'without-offset',
      },
      observed: 'trigger free',
    },
    oauth_access_tokens: { formats: { expires: 'without-offset' }, observed: 'tokens' },
    sessions: { formats: { expires: 'without-offset' }, observed: 'session ok' },
  },
  operations: {
    createPipeline: { writes: { ...tags, type: z.optional(z.string()) }, observed: 'create no type' },
    updatePipeline: { writes: { ...tags, type: z.optional(z.string()) }, observed: 'update pipeline' },
    createBlock: {
      presents: block,
      // dbt is not installed with it.
      writes: { type: z.enum(blockTypes.filter((type) => type !== 'dbt')) },
      ignores: ['pipelines'],
      observed: 'block create',
    },
    createBackfill: { without: ['PUT'], observed: 'backfill create PUT' },
    updateBackfill: {
      narrows: ({ status, ...others }) =>
        status === 'initial' || status === 'cancelled' ? { status } : others,
      observed: 'backfill update status initial',
    },
    readBlock: { presents: [...block, 'outputs'], observed: 'block read' },
    listPipelines: {
      parameters: [
        {
          name: 'tag[]',
          type: 'string',
          description: 'Only pipelines with at least one of the given tags are returned.',
          filter: { attribute: 'tags', match: 'any' },
        },
      ],
      observed: 'create desc',
    },
    listPipelineRuns: {
      adds: {
        block_runs: blockRuns,
        block_runs_count: countBlocks,
        completed_block_runs_count: ((run, model, present) =>
          run.status === 'completed'
            ? countBlocks(run, model, present)
            : '0') satisfies DeriveOf<'pipeline_runs'>,
        pipeline_schedule_name: ofSchedule('name'),
        pipeline_schedule_token: ofSchedule('token'),
        pipeline_schedule_type: ofSchedule('schedule_type'),
        pipeline_tags: null,
        pipeline_type: null,
        repo_path: '/srv',
      },
      observed: 'runs flat',
    },
    readPipelineRun: { adds: { block_runs: blockRuns }, observed: 'run read' },
    triggerPipeline: {
      routes: [
        {
          method: 'POST',
          path: '/api/pipeline_schedules/:pipeline_schedule_id/api_trigger',
          basis: 'convention',
          note: 'The token of the schedule is the Bearer credential.',
        },
      ],
      observed: 'trigger alt path',
    },
  },
}
