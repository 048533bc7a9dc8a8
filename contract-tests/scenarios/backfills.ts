import { kebab } from '../rules/kebab.ts'
import { secondsPattern } from '../rules/shapes.ts'
import type { Exchange } from '../runner/client.ts'
import { carriesName } from '../runner/record-owner.ts'
import { hasFields, isError, listIn, metadataIn, type ReceivedRecord, recordIn } from '../runner/replies.ts'
import type { ScenarioContext } from '../runner/scenario-context.ts'
import { readWhole, type WholeList } from '../runner/whole-list.ts'
import { pipelineOf } from './blocks.ts'
import type { ScenarioDefinition } from './define-scenario.ts'

const statuses = ['initial', 'running', 'completed', 'failed', 'cancelled'] as const
const intervals = ['second', 'minute', 'hour', 'day', 'week', 'month', 'year', 'custom']

/** Creates backfills, pages through them, updates every attribute, walks the states, and deletes them. */
export const backfills: ScenarioDefinition = {
  name: 'backfills',
  makes: '1 pipeline and 4 backfills',
  effects: 'writes',
  covers: [
    'backfill-create', 'backfill-states', 'backfill-list', 'backfill-update', 'backfill-times', 'backfill-delete', 'backfill-fields',
    'timestamps', 'list-metadata', 'limits', 'errors',
  ], // biome-ignore format: a list of prefixes
  // Tried last, on backfills of their own.
  leaves: ['backfill-states/unknown-status', 'backfill-update/unknown-interval'],
  async run(context) {
    const home = await pipelineOf(context)
    if (home === undefined) return
    const ids = await create(context, home)
    // What the list does not show as made here may be somebody else's, whatever the reply said: it is left alone.
    const [first, unplanned] = await list(context, home, ids)
    // The states are walked by a backfill of one date: a server that starts its backfills starts one run.
    if (unplanned !== undefined) await walkStates(context, home, unplanned)
    if (first !== undefined) {
      await update(context, home, first)
      await remove(context, home, first)
    }
    await refuse(context, home)
  },
}

async function create(context: ScenarioContext, home: string): Promise<number[]> {
  const name = context.name('backfill')
  const created = await context.createBackfill(home, { name })
  const backfill = recordIn(created, 'backfill')
  context.check('backfill-create/returns-backfill', backfill !== undefined, created)
  context.compare('backfill-create/name', name, backfill?.name, created)
  context.compare('backfill-create/pipeline', home, backfill?.pipeline_uuid, created)
  context.check(
    'backfill-create/fields',
    hasFields(backfill, 'backfill'),
    created,
    Object.keys(backfill ?? {}),
  )
  for (const field of [
    'start_datetime',
    'end_datetime',
    'interval_type',
    'interval_units',
    'status',
  ] as const) {
    context.compare(`backfill-create/null-${kebab(field)}`, null, backfill?.[field], created)
  }
  for (const field of ['started_at', 'completed_at', 'failed_at'] as const) {
    context.compare(`backfill-states/new-${kebab(field)}`, null, backfill?.[field], created)
  }
  context.check('timestamps/backfill-create', hasSeconds(backfill), created, momentsOf(backfill))

  const more = await context.createBackfill(home, { name: context.name('backfill') })
  const third = await context.createBackfill(home, { name: context.name('backfill') })
  const sample = await context.createBackfill(home, { name: context.name('sample') }, { method: 'PUT' })
  context.check('backfill-create/put-sample', recordIn(sample, 'backfill')?.pipeline_uuid === home, sample)
  context.checkRefused(
    'backfill-create/unknown-pipeline',
    await context.createBackfill(`${context.prefix}_no_such_pipeline`, { name }),
  )
  return [created, more, third]
    .map((exchange) => recordIn(exchange, 'backfill')?.id)
    .filter((id) => typeof id === 'number')
}

/** Reads the backfills of a pipeline to the end. */
function readHome(context: ScenarioContext, home: string): Promise<WholeList | undefined> {
  return readWhole((path) => context.get(path), `/api/backfills?pipeline_uuid=${home}`, 'backfills')
}

async function list(context: ScenarioContext, home: string, ids: readonly number[]): Promise<number[]> {
  const query = `pipeline_uuid=${home}`
  const whole = await readHome(context, home)
  const all = whole?.first ?? (await context.get(`/api/backfills?${query}`))
  const items = whole?.records
  const metadata = metadataIn(all)
  context.check('list-metadata/count', Number.isInteger(metadata?.count), all, metadata)
  context.check('list-metadata/next', typeof metadata?.next === 'boolean', all, metadata)
  // Where nobody says how many, the first page may be short (`default-limit`): the last one has no page after it.
  const end = whole?.last ?? all
  context.check('list-metadata/next-false', metadataIn(end)?.next === false, end, metadataIn(end))
  context.observe('backfill', items?.[0], all)
  const found = items?.map((item) => item.id) ?? []
  context.check('backfill-create/listed', ids.length > 0 && found.includes(ids[0]), all, found)
  context.check(
    'backfill-list/pipeline-filter-complete',
    ids.length > 0 && ids.every((id) => found.includes(id)),
    all,
    found,
  )
  context.check(
    'backfill-list/pipeline-filter',
    items?.every((item) => item.pipeline_uuid === home) === true,
    all,
  )
  context.check('backfill-list/fields', hasFields(items?.[0], 'backfill'), all, Object.keys(items?.[0] ?? {}))
  context.check(
    'backfill-list/run-count-only-when-asked',
    items?.every((item) => !Object.hasOwn(item, 'total_run_count')) === true,
    all,
  )

  const counted = await context.get(`/api/backfills?${query}&include_run_count=true`)
  const counts = listIn(counted, 'backfills')?.map((item) => item.total_run_count)
  context.check(
    'backfill-list/run-count',
    (counts?.length ?? 0) > 0 && counts!.every(Number.isInteger),
    counted,
    counts,
  )

  const one = await context.get(`/api/backfills?${query}&_limit=1`)
  const two = await context.get(`/api/backfills?${query}&_limit=2`)
  const second = await context.get(`/api/backfills?${query}&_limit=1&_offset=1`)
  const last = await context.get(`/api/backfills?${query}&_limit=2&_offset=${Math.max(found.length - 1, 0)}`)
  const idsIn = (exchange: Exchange) => listIn(exchange, 'backfills')?.map((item) => item.id) ?? []
  context.check('backfill-list/limit', idsIn(two).length <= 2 && idsIn(one).length <= 1, two, idsIn(two))
  context.check('backfill-list/limit-one', idsIn(one).length === 1, one, idsIn(one))
  context.check(
    'backfill-list/offset',
    idsIn(second).length === 1 && idsIn(second)[0] === found[1],
    second,
    idsIn(second),
  )
  context.check(
    'backfill-list/pages-disjoint',
    idsIn(second).length > 0 && !idsIn(one).includes(idsIn(second)[0]),
    second,
    idsIn(second),
  )
  context.check('list-metadata/next-true', metadataIn(one)?.next === true, one, metadataIn(one))
  context.check('limits/next-last-page', metadataIn(last)?.next === false, last, metadataIn(last))
  return ids.filter((id) =>
    items?.some(
      (item) => item.id === id && item.pipeline_uuid === home && carriesName(item.name, context.prefix),
    ),
  )
}

async function update(context: ScenarioContext, home: string, id: number): Promise<void> {
  const path = `/api/pipelines/${home}/backfills/${id}`
  const sent = {
    name: context.name('renamed'),
    start_datetime: '2026-01-01 00:00:00',
    end_datetime: '2026-01-03 12:00:00',
    interval_type: 'hour',
    interval_units: 6,
    variables: { region: 'north', nested: { deep: [1, 2] } },
  }
  const updated = await context.put(path, { backfill: sent })
  const backfill = recordIn(updated, 'backfill')
  context.check('backfill-update/returns-backfill', backfill?.id === id, updated)
  for (const field of ['name', 'interval_type', 'interval_units', 'variables'] as const) {
    context.compare(`backfill-update/${kebab(field)}`, sent[field], backfill?.[field], updated)
  }
  for (const field of ['start_datetime', 'end_datetime'] as const) {
    const isSame = String(backfill?.[field]).startsWith(sent[field])
    context.check(`backfill-update/${kebab(field)}`, isSame, updated, backfill?.[field])
    context.check('timestamps/backfill-request', isSame, updated, backfill?.[field])
  }
  context.check('timestamps/backfill-update', hasSeconds(backfill), updated, momentsOf(backfill))

  const partial = await context.put(path, { backfill: { interval_units: 12 } })
  const kept = recordIn(partial, 'backfill')
  context.check('backfill-update/partial', kept?.name === sent.name && kept.interval_units === 12, partial)
  const whole = await readHome(context, home)
  const listed = whole?.last ?? partial
  const item = whole?.records.find((candidate) => candidate.id === id)
  context.check(
    'backfill-update/stored',
    item?.name === sent.name && item.interval_units === 12,
    listed,
    item,
  )
  context.observe('backfill', item, listed)
  // Those were made before it was updated, by the clock of the same list, which may be coarse or stand still.
  const others = whole?.records.filter(({ id: other }) => other !== id) ?? []
  const latest =
    others
      .map(({ created_at }) => String(created_at))
      .toSorted()
      .at(-1) ?? ''
  context.check('backfill-times/updated-at', String(item?.updated_at) >= latest, listed, {
    updated_at: item?.updated_at,
    'created_at of another': latest,
  }) // biome-ignore format: one step a line

  const refused: string[] = []
  let last = updated
  for (const interval of intervals) {
    last = await context.put(path, { backfill: { interval_type: interval } })
    if (recordIn(last, 'backfill')?.interval_type !== interval) refused.push(interval)
  }
  context.check('backfill-update/all-intervals', refused.length === 0, last, { refused })
}

async function walkStates(context: ScenarioContext, home: string, id: number): Promise<void> {
  const path = `/api/pipelines/${home}/backfills/${id}`
  const day = '2026-01-01 00:00:00'
  const plan = { start_datetime: day, end_datetime: day, interval_type: 'day', interval_units: 1 }
  await context.put(path, { backfill: plan })
  for (const status of statuses) {
    const name = context.name(status)
    const updated = await context.put(path, { backfill: { status, name } })
    const backfill = recordIn(updated, 'backfill')
    context.compare(`backfill-states/${status}`, status, backfill?.status, updated)
    context.compare('backfill-states/others-updated', name, backfill?.name, updated)
  }
}

async function remove(context: ScenarioContext, home: string, id: number): Promise<void> {
  const path = `/api/backfills/${id}`
  const deleted = await context.delete(path)
  const backfill = recordIn(deleted, 'backfill')
  context.check('backfill-delete/returns-backfill', backfill?.id === id, deleted)
  context.check('backfill-states/removed-returned', backfill?.id === id, deleted)
  context.check(
    'backfill-delete/fields',
    hasFields(backfill, 'backfill'),
    deleted,
    Object.keys(backfill ?? {}),
  )
  context.check('timestamps/backfill-delete', hasSeconds(backfill), deleted, momentsOf(backfill))
  if (!isError(deleted)) context.cleanupLog.deleted(path)
  const whole = await readHome(context, home)
  const listed = whole?.last ?? deleted
  const isGone = whole?.records.every((item) => item.id !== id) === true
  context.check('backfill-delete/leaves-list', isGone, listed)
  context.check('backfill-states/removed', isGone, listed)
  const again = await context.delete(path)
  context.check('backfill-delete/again', isError(again), again)
  context.compare('errors/http-200-unknown-record', 200, again.httpStatus, again)
}

async function refuse(context: ScenarioContext, home: string): Promise<void> {
  const unknown = await context.put(`/api/pipelines/${home}/backfills/999999999`, {
    backfill: { name: 'nobody' },
  })
  context.checkRefused('backfill-update/unknown', unknown)
}

const moments = [
  'created_at',
  'updated_at',
  'start_datetime',
  'end_datetime',
  'started_at',
  'completed_at',
  'failed_at',
]

function momentsOf(backfill: ReceivedRecord | undefined): Record<string, unknown> {
  return Object.fromEntries(moments.map((field) => [field, backfill?.[field]]))
}

function hasSeconds(backfill: ReceivedRecord | undefined): boolean {
  return (
    typeof backfill?.created_at === 'string' &&
    Object.values(momentsOf(backfill)).every((value) => value == null || secondsPattern.test(String(value)))
  )
}
