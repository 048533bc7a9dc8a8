import { backfill } from './backfill.ts'
import { block } from './block.ts'
import type { Resource } from './define-resource.ts'
import { log } from './log.ts'
import { oauthAccessToken } from './oauth-access-token.ts'
import { pipeline } from './pipeline.ts'
import { pipelineRun } from './pipeline-run.ts'
import { pipelineSchedule } from './pipeline-schedule.ts'
import { session } from './session.ts'
import { user } from './user.ts'

/** The table: every resource of the API. A resource stands after those it refers to. */
export const resources: readonly Resource[] = [
  user,
  oauthAccessToken,
  session,
  pipeline,
  block,
  pipelineSchedule,
  backfill,
  pipelineRun,
  log,
] as readonly Resource[]

export { backfill, block, log, oauthAccessToken, pipeline, pipelineRun, pipelineSchedule, session, user }
