import { backfills } from './backfills.ts'
import { blocks } from './blocks.ts'
import { credentials } from './credentials.ts'
import { damage } from './damage.ts'
import type { ScenarioDefinition } from './define-scenario.ts'
import { logs } from './logs.ts'
import { pipelines } from './pipelines.ts'
import { schedules, trigger } from './schedules.ts'
import { sequences } from './sequences.ts'

/** Every scenario, in the order it is played: signing in comes first, so that the others are signed in. */
export const scenarios: readonly ScenarioDefinition[] = [
  credentials,
  pipelines,
  blocks,
  backfills,
  schedules,
  trigger,
  sequences,
  logs,
  // Last: nothing is judged after it.
  damage,
]

export { covers, type ScenarioDefinition } from './define-scenario.ts'
