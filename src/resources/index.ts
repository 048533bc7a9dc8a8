import { backfill } from './backfill/backfill.ts'
import { block } from './block/block.ts'
import { log } from './log/log.ts'
import { oauthAccessToken } from './oauth-access-token/oauth-access-token.ts'
import { pipeline } from './pipeline/pipeline.ts'
import { pipelineRun } from './pipeline-run/pipeline-run.ts'
import { pipelineSchedule } from './pipeline-schedule/pipeline-schedule.ts'
import type { Plural } from './records.ts'
import type { Resource } from './resource.ts'
import { session } from './session/session.ts'
import { user } from './user/user.ts'

/** All resources of the API, by plural. A resource follows those that it refers to. */
const table = {
  users: user,
  oauth_access_tokens: oauthAccessToken,
  sessions: session,
  pipelines: pipeline,
  blocks: block,
  pipeline_schedules: pipelineSchedule,
  backfills: backfill,
  pipeline_runs: pipelineRun,
  logs: log,
} satisfies { readonly [P in Plural]: Resource & { readonly plural: P } }

/** The table, as generic code reads it. */
export const resources: readonly Resource[] = Object.values(table)

/**
 * The table as the source of types. Another row replaces that of a missing resource: the compiler
 * then reports the missing row here, instead of many subsequent errors.
 */
export type ResourceTable = typeof table &
  Readonly<Record<Exclude<Plural, keyof typeof table>, (typeof table)['users']>>
