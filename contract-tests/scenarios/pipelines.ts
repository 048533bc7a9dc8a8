import { runSequences } from '../model-based/run-sequences.ts'
import type { ScenarioDefinition } from './define-scenario.ts'

/** Creates pipelines of every type and name, reads them, and sends creations that must be refused. */
export const pipelines: ScenarioDefinition = {
  name: 'pipelines',
  makes: 'about 20 pipelines',
  effects: 'writes',
  isPlayedOnce: true,
  covers: [
    'pipeline-create',
    'pipeline-new',
    'pipeline-read',
    'pipeline-extensions',
    'pipeline-fields',
    'conventions',
    'errors',
  ],
  run: (context) => runSequences(context, 'pipelines'),
}
