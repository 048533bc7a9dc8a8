import * as z from 'zod/mini'
import { withDefault } from '../../resources/attributes.ts'
import { setValues } from '../../resources/resource.ts'
import { recordInvalid } from '../../shared/errors.ts'
import { formatTimestamp } from '../../shared/timestamps.ts'
import { type DeriveOf, defineProfile, type RequestedAttributes } from '../define-profile.ts'
import { countDates, countStatuses, failCancel, narrowUpdate, refuseStart } from './backfills.ts'
import {
  attached,
  contentOrTemplate,
  downstreamBlocks,
  extensions,
  failCreation,
  narrowCreation,
  refuseCreation,
  refuseDeletion,
  refuseRead,
  statusOf,
  steps,
} from './blocks.ts'
import { errors } from './errors.ts'
import { blockFiles, listFiles, runFiles } from './logs.ts'
import { blockRuns, countBlocks, countRuns, ofSchedule, partition, startedAt, triggers } from './runs.ts'
import { enabledAt, interval, startTime, type } from './schedules.ts'

/** Returns the time of the last change of a pipeline; an unchanged one has a time as well. */
const changedAt: DeriveOf<'pipelines'> = (pipeline, model) =>
  JSON.stringify(formatTimestamp(pipeline.updated_at ?? model.now(), 'iso'))

/** Attributes that only the lists of schedules show. */
const listAttributes = [
  'last_pipeline_run_status',
  'pipeline_runs_count',
  'pipeline_in_progress_runs_count',
] as const

const runCounts = {
  name: 'include_run_count',
  type: 'boolean',
  description: 'Whether items carry `run_status_counts`.',
  adds: { attributes: ['run_status_counts'], when: setValues },
} as const

const tags = { tags: z.optional(z.array(z.string())) }

const block = [
  'all_upstream_blocks_executed', 'color', 'configuration', 'downstream_blocks', 'executor_config', 'executor_type',
  'has_callback', 'name', 'language', 'retry_config', 'status', 'type', 'upstream_blocks', 'uuid', 'content',
] as const // biome-ignore format: one list, in the order observed

/**
 * Profile of Mage AI 0.9.79, an independent server of this API: its observed differences from the
 * specification.
 *
 * @example
 * createUnderstudy({ profile: mageAi0979 })
 */
export const mageAi0979 = defineProfile({
  name: 'mage-ai-0.9.79',
  switches: {
    bearer: 'decoded', // bearer raw
    'content-type': 'ignored', // form body
    'single-metadata': 'null', // backfill create
    'run-values': 'initial first', // trigger free
    'trigger-body': 'pipeline_run.variables', // trigger
    'trigger-inactive': 'becomes active', // learned: listPipelineSchedules status
    'pipeline-uuid-rule': 'letter first', // learned: createBlock uuid
    'pipeline-rename': 'uuid follows', // update pipeline
    'force-effect': 'joined', // learned: readPipeline upstream_blocks
    'log-lines': 'json', // logs
  },
  // Without the header, POST requests with a body read the key from the body, and all others from the query.
  readApiKey: (request) =>
    request.headers['x-api-key'] ??
    (request.method === 'POST' && request.hasBody
      ? request.bodyMember('api_key')
      : request.searchParams.get('api_key')) ??
    undefined, // learned: createPipeline HTTP status
  errors,
  resources: {
    pipelines: {
      adds: {
        cache_block_output_in_memory: false,
        concurrency_config: {},
        created_at: (pipeline, model) => JSON.stringify(pipeline.updated_at ?? model.now()),
        remote_variables_dir: null,
        retry_config: {},
        run_pipeline_in_one_process: false,
        settings: { triggers: null },
        tags: (record) => JSON.stringify(record.tags),
        variables_dir: '/srv',
      },
      attributes: { type: withDefault(z.string(), 'python') }, // create bad type
      computes: {
        updated_at: changedAt,
        blocks: steps,
        widgets: () => '[]',
        extensions,
        schedules: triggers,
      }, // learned: readPipeline extensions
      formats: { updated_at: 'iso' },
      observed: 'create',
    },
    blocks: {
      adds: { timeout: null },
      knows: {
        callback_blocks: attached('callback'),
        conditional_blocks: attached('conditional'),
        metadata: {},
        tags: [],
      },
      presentsWithin: [
        ...block,
        'timeout',
        'callback_blocks',
        'conditional_blocks',
        'outputs',
        'metadata',
        'tags',
      ],
      computes: { content: contentOrTemplate, status: statusOf, downstream_blocks: downstreamBlocks },
      observed: 'block create',
    },
    backfills: {
      adds: { settings: null },
      knows: { run_status_counts: countStatuses },
      computes: {
        total_run_count: countDates,
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
        last_enabled_at: enabledAt,
        repo_path: '/srv',
        next_pipeline_run_date: null,
        pipeline_in_progress_runs_count: countRuns(
          ({ status }) => status === 'initial' || status === 'running',
        ),
      },
      computes: {
        schedule_interval: interval,
        schedule_type: type,
        settings: ({ settings }) => JSON.stringify(Object.keys(settings).length > 0 ? settings : null),
        pipeline_runs_count: countRuns(() => true),
        start_time: startTime,
      },
      presentsWithin: [
        'id', 'name', 'pipeline_uuid', 'schedule_type', 'schedule_interval', 'start_time', 'status', 'created_at', 'updated_at',
      ], // biome-ignore format: one list
      formats: { created_at: 'seconds', updated_at: 'seconds', start_time: 'shortest' },
      observed: 'schedules',
    },
    pipeline_runs: {
      adds: {
        executor_type: 'local_python',
        started_at: startedAt,
        variables: (run) =>
          JSON.stringify({
            ...run.variables,
            execution_partition: partition(run),
          }),
      },
      formats: {
        created_at: 'seconds',
        updated_at: 'seconds',
        execution_date: 'without-offset',
        completed_at: 'without-offset',
      },
      observed: 'trigger free',
    },
    // Blocks, runs and the scheduler have separate log files, each with its size and date.
    logs: {
      computes: {
        block_run_logs: listFiles('block_run_logs', blockFiles),
        pipeline_run_logs: listFiles('pipeline_run_logs', runFiles),
      },
      observed: 'logs',
    },
    oauth_access_tokens: { formats: { expires: 'without-offset' }, observed: 'tokens' },
    sessions: { formats: { expires: 'without-offset' }, observed: 'session ok' },
  },
  operations: {
    createPipeline: {
      writes: { ...tags, type: z.optional(z.string()) },
      narrows: (attributes, { model }): RequestedAttributes<'pipelines'> => ({
        ...attributes,
        updated_at: model.now(),
      }),
      observed: 'create no type',
    },
    updatePipeline: { writes: { ...tags, type: z.optional(z.string()) }, observed: 'update pipeline' },
    createBlock: {
      presents: block,
      writes: { content: z.nullish(z.string()) },
      ignores: ['pipelines'],
      narrows: narrowCreation,
      refuses: refuseCreation,
      fails: failCreation,
      observed: 'block create',
    },
    createBackfill: { without: ['PUT'], observed: 'backfill create PUT' },
    updateBackfill: {
      writes: { interval_units: z.nullish(z.int()) },
      narrows: narrowUpdate,
      refuses: refuseStart,
      fails: failCancel,
      observed: 'backfill update status initial',
    },
    listBackfills: { parameters: [runCounts], observed: 'backfills count' },
    readBlock: {
      presents: [...block, 'outputs'],
      parameters: [
        { name: 'block_type', type: 'string', description: 'Callbacks and conditionals need it.' },
      ],
      refuses: refuseRead,
      observed: 'block read',
    },
    deleteBlock: { refuses: refuseDeletion, observed: 'block delete refused' },
    createPipelineSchedule: {
      lacks: ['tags', 'event_matchers', 'next_pipeline_run_date', ...listAttributes],
      observed: 'schedule create',
    },
    readPipelineSchedule: { lacks: listAttributes, observed: 'schedule read' },
    updatePipelineSchedule: { lacks: listAttributes, observed: 'schedule api active' },
    deletePipelineSchedule: {
      lacks: ['tags', 'event_matchers', 'next_pipeline_run_date', ...listAttributes],
      observed: 'client: DELETE schedule',
    },
    listOauthAccessTokens: {
      // Without a user the server fails to find whose tokens it lists.
      refuses: ({ user }) => (user ? undefined : recordInvalid("'NoneType' object has no attribute 'id'")),
      observed: 'tokens',
    },
    listLogs: { withoutParameters: ['_offset'], observed: 'logs limit offset' },
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
      parameters: [
        {
          name: 'backfill_id',
          type: 'integer',
          description: 'Backfill of the runs.',
          filter: { attribute: 'backfill_id', match: 'equal' },
        },
      ],
      adds: {
        block_runs: blockRuns,
        block_runs_count: countBlocks,
        completed_block_runs_count: (run, model, present) =>
          run.status === 'completed' ? countBlocks(run, model, present) : '0',
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
})
