import { toTitle } from '../../wire/letter-case.ts'
import { backfill } from './backfill.ts'
import { block } from './block.ts'
import { pipeline } from './pipeline.ts'
import { pipelineRun } from './pipeline-run.ts'
import { pipelineSchedule } from './pipeline-schedule.ts'
import type { ResourceNotes } from './resource-notes.ts'
import { log, oauthAccessToken, session } from './small-resources.ts'

/** The notes on each resource, by its singular. */
const notes: Readonly<Record<string, ResourceNotes>> = {
  backfill,
  block,
  log,
  oauth_access_token: oauthAccessToken,
  pipeline,
  pipeline_run: pipelineRun,
  pipeline_schedule: pipelineSchedule,
  session,
}

/** The notes on a resource; a resource that a fixture added has none but its name. */
export function notesOn({ singular, plural }: { singular: string; plural: string }): ResourceNotes {
  return notes[singular] ?? { title: toTitle(plural), description: 'Added by a fixture.', attributes: {} }
}
