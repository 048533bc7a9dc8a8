import { playStories } from '../judge/lockstep/play-stories.ts'
import type { Stage } from '../judge/stage.ts'
import { derivedPrefixes, derivedRules } from '../rules/derived.ts'
import type { JudgeScenario } from './define-scenario.ts'
import { lacking } from './lacking.ts'

/** Tells stories to the target and to a model, and holds the one against the other. */
export const stories: JudgeScenario = {
  name: 'stories',
  makes:
    'about 40 pipelines, with some 50 backfills, 35 blocks, 8 schedules and 13 runs in them; a few at a time',
  effects: 'writes',
  isPlayedOnce: true,
  covers: derivedPrefixes,
  async run(stage) {
    await playStories(stage)
    sayWhatIsMissing(stage)
  },
}

/** Says of what no story came to what it lacks: a need of its own, or replies to go on with. */
function sayWhatIsMissing({ verdicts, provided }: Stage): void {
  for (const { id, needs } of derivedRules) {
    const [need] = needs
    if (provided.stories === 0)
      verdicts.notReached([id], 'No stories were told: leave --stories 0 out.', 'need')
    else if (need !== undefined) verdicts.notReached([id], lacking[need](provided), 'need')
    else verdicts.notReached([id], 'No story came to it: see what broke before.', 'replies')
  }
}
