import { runSequences } from '../model-based/run-sequences.ts'
import type { ScenarioDefinition } from './define-scenario.ts'

/** Creates backfills, pages through them, updates every attribute and status, and deletes them. */
export const backfills: ScenarioDefinition = {
  name: 'backfills',
  makes: 'about 6 pipelines, and 30 backfills in them',
  effects: 'writes',
  isPlayedOnce: true,
  covers: [
    'backfill-create', 'backfill-states', 'backfill-list', 'backfill-update', 'backfill-times', 'backfill-delete', 'backfill-fields',
    'timestamps', 'list-metadata', 'limits', 'errors',
  ], // biome-ignore format: a list of prefixes
  // A sequence that runs last provokes them.
  leaves: ['backfill-states/unknown-status', 'backfill-update/unknown-interval'],
  run: (context) => runSequences(context, 'backfills'),
}
