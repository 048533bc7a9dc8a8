import { runSequences } from '../model-based/run-sequences.ts'
import { derivedPrefixes, derivedRules } from '../rules/derived.ts'
import type { ScenarioContext } from '../runner/scenario-context.ts'
import type { ScenarioDefinition } from './define-scenario.ts'
import { lacking } from './missing-preconditions.ts'

/** Tells sequences to the target and to a model, and holds the one against the other. */
export const sequences: ScenarioDefinition = {
  name: 'sequences',
  makes:
    'about 40 pipelines, with some 50 backfills, 35 blocks, 8 schedules and 13 runs in them; a few at a time',
  effects: 'writes',
  isPlayedOnce: true,
  covers: derivedPrefixes,
  async run(context) {
    await runSequences(context, 'sequences')
    sayWhatIsMissing(context)
  },
}

/** Says of what no sequence came to what it lacks: a need of its own, or replies to go on with. */
function sayWhatIsMissing({ verdicts, provided }: ScenarioContext): void {
  for (const { id, needs } of derivedRules) {
    const [need] = needs
    if (provided.sequences === 0)
      verdicts.notReached([id], 'No sequences were told: leave --stories 0 out.', 'need')
    else if (need !== undefined) verdicts.notReached([id], lacking[need](provided), 'need')
    // A target may leave every timestamp null, for ever.
    else if (id.endsWith('/timestamps'))
      verdicts.notReached([id], 'No reply of this operation carried a timestamp.', 'need')
    else verdicts.notReached([id], 'No sequence came to it: see what broke before.', 'replies')
  }
}
