import { runSequences } from '../model-based/run-sequences.ts'
import type { ScenarioDefinition } from './define-scenario.ts'

/** Sends values that are not listed, which a target may store and fail on later: it comes last, on backfills of its own. */
export const damage: ScenarioDefinition = {
  name: 'damage',
  makes: '2 pipelines with a backfill each, which are given values that are not listed',
  effects: 'writes',
  isPlayedOnce: true,
  covers: ['backfill-states/unknown-status', 'backfill-update/unknown-interval'],
  async run(context) {
    if (context.provided.allowDestructive) await runSequences(context, 'damage')
  },
}
