import { playStories } from '../judge/lockstep/play-stories.ts'
import { derivedPrefixes } from '../rules/derived.ts'
import type { Scenario } from './define-scenario.ts'

/** Tells stories to the target and to a model, and holds the one against the other. */
export const stories: Scenario = {
  name: 'stories',
  makes: 'about 50 pipelines, with some 100 backfills, 60 blocks, 5 schedules and 10 runs in them',
  effects: 'writes',
  covers: derivedPrefixes,
  run: (stage) => playStories(stage, stage.provided.stories, stage.provided.seed),
}
