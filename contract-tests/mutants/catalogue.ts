import type { FaultyServer } from './define-mutant.ts'
import { backfills } from './servers/backfills.ts'
import { blocks } from './servers/blocks.ts'
import { credentials } from './servers/credentials.ts'
import { envelopes } from './servers/envelopes.ts'
import { everyField } from './servers/every-field.ts'
import { logs } from './servers/logs.ts'
import { pipelines } from './servers/pipelines.ts'
import { runs } from './servers/runs.ts'
import { schedules } from './servers/schedules.ts'
import { tokens } from './servers/tokens.ts'

/** The shipped mutants; `pipeline-understudy serve --broken NAME` serves one. */
export const faultyServers: readonly FaultyServer[] = [
  ...envelopes,
  ...pipelines,
  ...blocks,
  ...backfills,
  ...schedules,
  ...runs,
  ...logs,
  ...tokens,
  ...credentials,
  ...everyField,
]
