import { isError, listIn, recordIn } from '../runner/replies.ts'
import type { ScenarioContext } from '../runner/scenario-context.ts'
import type { ScenarioDefinition } from './define-scenario.ts'
import { nearListed } from './near-listed.ts'

const statuses: readonly unknown[] = [null, 'initial', 'running', 'completed', 'failed', 'cancelled']
const intervals: readonly unknown[] = [
  null, 'second', 'minute', 'hour', 'day', 'week', 'month', 'year', 'custom',
] // biome-ignore format: one list, in the document's order

/**
 * Sends values outside their lists, which a target may store and then choke on. It comes last, on backfills of its own,
 * one for each attribute, put right after each value and deleted before the next.
 */
export const damage: ScenarioDefinition = {
  name: 'damage',
  makes: '2 pipelines with a backfill each, that are given values outside their lists',
  effects: 'writes',
  isPlayedOnce: true,
  covers: ['backfill-states/unknown-status', 'backfill-update/unknown-interval'],
  async run(context) {
    if (!context.provided.allowDestructive) return
    await tryValues(context, 'backfill-states/unknown-status', 'status', ['no_such_status', ...nearListed('failed')], statuses)
    await tryValues(context, 'backfill-update/unknown-interval', 'interval_type', ['fortnight', ...nearListed('day')], intervals)
  }, // biome-ignore format: one value a line
}

async function tryValues(
  context: ScenarioContext,
  rule: 'backfill-states/unknown-status' | 'backfill-update/unknown-interval',
  field: string,
  values: readonly string[],
  allowed: readonly unknown[],
): Promise<void> {
  // In a pipeline of its own: the list of one that is damaged may fail for all that stand in it.
  const home = await context.pipelineFor('damaged')
  const id = home === undefined ? undefined : await context.backfillOf(home, 'damaged')
  if (home === undefined || id === undefined) return
  for (const value of values)
    if (!(await isKeptOut(context, { rule, home, id, field, value, allowed }))) break
  await context.deleteNoted(`/api/backfills/${id}`)
}

interface Tried {
  readonly rule: 'backfill-states/unknown-status' | 'backfill-update/unknown-interval'
  readonly home: string
  readonly id: number
  readonly field: string
  readonly value: string
  readonly allowed: readonly unknown[]
}

/** Tries a value, and puts the record right again; tells whether it was kept out: where one got in, no more are sent. */
async function isKeptOut(
  context: ScenarioContext,
  { rule, home, id, field, value, allowed }: Tried,
): Promise<boolean> {
  const path = `/api/pipelines/${home}/backfills/${id}`
  const reply = await context.put(path, { backfill: { [field]: value } })
  const record = recordIn(reply, 'backfill')
  context.checkKeptOut(rule, reply, record?.[field], allowed)
  const list = await context.get(`/api/backfills?pipeline_uuid=${encodeURIComponent(home)}`)
  // What was refused and stored all the same is in the list, or makes it fail.
  const shown = listIn(list, 'backfills')?.find((each) => each.id === id)?.[field]
  const isListed = !isError(list) && allowed.includes(shown ?? null)
  context.check(rule, isListed, list, isError(list) ? list.error : shown, {
    described: `a list with one of ${allowed.map(String).join(', ')}`,
  })
  const isKept = isListed && (isError(reply) || allowed.includes(record?.[field]))
  // It is changed once in any case: what comes after an update may be taken otherwise.
  if (!isKept || (shown ?? null) === null) await context.put(path, { backfill: { [field]: allowed[1] } })
  return isKept
}
