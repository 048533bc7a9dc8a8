import type { ErrorEnvelope, OperationRecord } from './replies.ts'

/*
 * The types of the API's requests and replies, for an application's own code; they derive from the table, so that they
 * match the replies. Loads nothing at run time but `isErrorEnvelope`.
 */

export type { OperationId } from '../resources/table-types.ts'
export type { ListMetadata } from '../shared/http.ts'
export type {
  ErrorEnvelope,
  ListEnvelope,
  OperationBody,
  OperationRecord,
  OperationReply,
} from './replies.ts'

/** A pipeline in most replies (spec, "Pipeline"). */
export type Pipeline = OperationRecord<'createPipeline'>
/** A pipeline in the list: with `schedules` if `include_schedules` is 1. */
export type ListedPipeline = OperationRecord<'listPipelines'>
/** Pipeline in the reply of `readPipeline`: with `extensions`. */
export type PipelineDetail = OperationRecord<'readPipeline'>
/** A block inside a pipeline, in a list, updated or deleted (spec, "Block"). */
export type Block = OperationRecord<'deleteBlock'>
/** Block in the reply of `readBlock`: with `content` and `outputs`. */
export type BlockDetail = OperationRecord<'readBlock'>
/** The eight attributes in the reply of block creation (spec, "Create block"). */
export type CreatedBlock = OperationRecord<'createBlock'>
/** A backfill (spec, "Backfill"); timestamps have seconds in the replies of create, update and delete. */
export type Backfill = OperationRecord<'createBackfill'>
/** A backfill in the list: with `total_run_count` if `include_run_count` asks for it. */
export type ListedBackfill = OperationRecord<'listBackfills'>
/** A schedule, or trigger (spec, "Pipeline schedule"). */
export type PipelineSchedule = OperationRecord<'listPipelineSchedules'>
/** A run (spec, "Pipeline run"). */
export type PipelineRun = OperationRecord<'triggerPipeline'>
/** The one entry of the logs list (spec, "Pipeline logs entry"). */
export type LogsEntry = OperationRecord<'listLogs'>
/** A file of a logs entry. */
export type LogFile = LogsEntry['block_run_logs'][number]
/** A token of the current user (spec, "OAuth access token"). */
export type OauthAccessToken = OperationRecord<'listOauthAccessTokens'>
/** A session: its `token` is the raw one (spec, "Session"). */
export type Session = OperationRecord<'createSession'>

/**
 * Returns whether a body is an error envelope: `error` with its three members, and `status` 200. The HTTP
 * status is 200 for successes, too (spec, "Errors", rules 1, 2 and 4).
 *
 * @example
 * const body: OperationReply<'readPipeline'> | ErrorEnvelope = await response.json()
 * if (isErrorEnvelope(body)) throw new Error(body.error.message)
 */
export function isErrorEnvelope(body: unknown): body is ErrorEnvelope {
  if (!isObject(body) || body.status !== 200 || !isObject(body.error)) return false
  const { code, message, type } = body.error
  return Number.isInteger(code) && typeof message === 'string' && typeof type === 'string'
}

// Not the shared function: this module imports nothing at run time.
function isObject(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}
