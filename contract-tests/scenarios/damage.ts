import { recordIn } from '../judge/replies.ts'
import type { Stage } from '../judge/stage.ts'
import { pipelineOf } from './blocks.ts'
import type { Scenario } from './define-scenario.ts'

const statuses: readonly unknown[] = [null, 'initial', 'running', 'completed', 'failed', 'cancelled']
const intervals: readonly unknown[] = [
  null, 'second', 'minute', 'hour', 'day', 'week', 'month', 'year', 'custom',
] // biome-ignore format: one list, in the document's order

/**
 * Sends values outside their lists, which a target may store and then choke on. It comes last, on backfills of its own,
 * one for each value, each put right and deleted before the next.
 */
export const damage: Scenario = {
  name: 'damage',
  makes: '1 pipeline and 2 backfills that are given values outside their lists',
  effects: 'writes',
  covers: ['backfill-states/unknown-status', 'backfill-update/unknown-interval'],
  async run(stage) {
    if (!stage.provided.allowDestructive) return
    const home = await pipelineOf(stage)
    if (home === undefined) return
    await tryValue(stage, home, 'backfill-states/unknown-status', 'status', 'no_such_status', statuses)
    await tryValue(stage, home, 'backfill-update/unknown-interval', 'interval_type', 'fortnight', intervals)
  },
}

async function tryValue(
  stage: Stage,
  home: string,
  rule: 'backfill-states/unknown-status' | 'backfill-update/unknown-interval',
  field: string,
  value: string,
  allowed: readonly unknown[],
): Promise<void> {
  const id = await stage.backfillOf(home, 'damaged')
  if (id === undefined) return
  const path = `/api/pipelines/${home}/backfills/${id}`
  const reply = await stage.put(path, { backfill: { [field]: value } })
  const record = recordIn(reply, 'backfill')
  stage.checkKeptOut(rule, reply, record?.[field], allowed)
  await stage.put(path, { backfill: { [field]: allowed[1] } })
  await stage.deleteNoted(`/api/backfills/${id}`)
}
