import { runSequences } from '../model-based/run-sequences.ts'
import type { ScenarioContext } from '../runner/scenario-context.ts'
import type { ScenarioDefinition } from './define-scenario.ts'

/** Creates blocks of every type and graphs of them, reads them, and deletes them. */
export const blocks: ScenarioDefinition = {
  name: 'blocks',
  makes: 'about 10 pipelines, and 40 blocks in them',
  effects: 'writes',
  isPlayedOnce: true,
  covers: ['block-create', 'block-uuid', 'block-new', 'block-read', 'block-delete', 'block-fields', 'errors'],
  run: (context) => runSequences(context, 'blocks'),
}

/** Creates a pipeline to work in; undefined where the target made none. */
export function pipelineOf(context: ScenarioContext): Promise<string | undefined> {
  return context.pipelineFor('home')
}
