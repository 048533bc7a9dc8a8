// Checked by `tsc --noEmit`: the types of requests and replies, compared with the specification of each action.
import type {
  Backfill,
  Block,
  BlockDetail,
  CreatedBlock,
  ListedBackfill,
  ListedPipeline,
  LogFile,
  LogsEntry,
  OperationBody,
  OperationReply,
  Pipeline,
  PipelineDetail,
  PipelineRun,
  PipelineSchedule,
} from '../src/api/index.ts'

type Equal<One, Other> =
  (<T>() => T extends One ? 1 : 2) extends <T>() => T extends Other ? 1 : 2 ? true : false
const holds = <_ extends true>(): void => undefined

// "Create block": eight attributes.
holds<
  Equal<
    keyof CreatedBlock,
    'content' | 'name' | 'priority' | 'config' | 'language' | 'type' | 'configuration' | 'upstream_blocks'
  >
>()
// "Block": content and outputs only in the read response.
holds<Equal<Exclude<keyof BlockDetail, keyof Block>, 'content' | 'outputs'>>()
holds<Equal<Block['language'], 'python' | 'sql' | 'r' | 'yaml' | 'markdown'>>()
holds<Equal<Block['upstream_blocks'], string[]>>()
// "Pipeline": extensions in the read response.
holds<Equal<Exclude<keyof PipelineDetail, keyof Pipeline | 'schedules'>, 'extensions'>>()
holds<Equal<Pipeline['type'], 'integration' | 'pyspark' | 'python' | 'streaming'>>()
holds<Equal<Pipeline['blocks'][number], Block>>()
holds<Equal<Pipeline['updated_at'], string | null>>()
// "Read pipelines": the triggers where include_schedules is 1.
holds<Equal<NonNullable<ListedPipeline['schedules']>[number], PipelineSchedule>>()
// "Read backfills": total_run_count where it is asked for.
holds<Equal<Exclude<keyof ListedBackfill, keyof Backfill>, 'total_run_count'>>()
holds<Equal<ListedBackfill['total_run_count'], number | undefined>>()
holds<Equal<Backfill['status'], 'initial' | 'running' | 'completed' | 'failed' | 'cancelled' | null>>()
// The specification gives these values as examples: a real server may have others.
type AnyOther = string & {}
holds<Equal<PipelineRun['status'], 'initial' | 'running' | 'completed' | 'failed' | 'cancelled' | AnyOther>>()
holds<Equal<PipelineSchedule['status'], 'active' | 'inactive' | AnyOther>>()
holds<Equal<PipelineSchedule['schedule_type'], 'time' | 'api' | 'event' | AnyOther>>()
holds<
  Equal<
    PipelineSchedule['last_pipeline_run_status'],
    'initial' | 'running' | 'completed' | 'failed' | 'cancelled' | AnyOther | null
  >
>()
holds<Equal<Block['status'], 'not_executed' | 'updated' | 'executed' | 'failed' | AnyOther>>()
holds<Equal<PipelineRun['event_variables'], Record<string, unknown>>>()
holds<Equal<LogsEntry['total_block_run_log_count'], number>>()
holds<Equal<LogFile, { name: string; path: string; content: string }>>()
// Envelopes: the singular key, or the plural beside metadata; the logs list has empty metadata.
holds<Equal<OperationReply<'deleteBackfill'>, { backfill: Backfill }>>()
holds<Equal<OperationReply<'listBackfills'>['metadata'], import('../src/api/index.ts').ListMetadata>>()
holds<Equal<OperationReply<'listLogs'>['metadata'], Record<string, never>>>()
holds<Equal<keyof OperationBody<'createBackfill'>, 'backfill' | 'api_key'>>()
holds<Equal<OperationBody<'deleteBackfill'>, never>>()
holds<Equal<OperationBody<'triggerPipeline'>, Record<string, unknown>>>()

export const update: OperationBody<'updateBackfill'> = { backfill: { status: 'initial' } }
// @ts-expect-error: a status that the document does not list
export const wrong: OperationBody<'updateBackfill'> = { backfill: { status: 'done' } }
export const other: OperationBody<'updateBlock'> = { block: { status: 'another' } }
// @ts-expect-error: a backfill needs a name
export const nameless: OperationBody<'createBackfill'> = { backfill: {} }
