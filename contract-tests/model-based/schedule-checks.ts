import { fieldsOf } from '../rules/fields.ts'
import type { RuleId } from '../rules/index.ts'
import { microsecondsPattern } from '../rules/shapes.ts'
import type { Exchange } from '../runner/client.ts'
import { isObject } from '../runner/is-object.ts'
import { isError, listIn, metadataIn, type ReceivedRecord, recordIn } from '../runner/replies.ts'
import { retryUnstable } from '../runner/retry-unstable.ts'
import type { RunContext } from '../runner/run-context.ts'
import {
  type FoundSchedules,
  findSchedules,
  findTrigger,
  startLogs,
  type Triggerable,
} from './find-schedules.ts'

const tagRules: readonly RuleId[] = [
  'schedule-list/one-tag',
  'schedule-list/two-tags',
  'schedule-list/encoded-tag',
  'limits/tags-or',
]
const scheduleRules: readonly RuleId[] = [
  'schedule-list/belongs', 'schedule-list/no-such-tag', 'schedule-list/token-unique', 'timestamps/schedules',
  'pipeline-read/schedules-are-its-own', ...tagRules,
] // biome-ignore format: a list of ids
const runRules: readonly RuleId[] = [
  'trigger/returns-run', 'trigger/running', 'trigger/event-variables', 'trigger/nested-variables', 'trigger/empty-body',
  'trigger/schedule', 'trigger/pipeline', 'trigger/variables', 'trigger/not-completed', 'trigger/wrong-token',
  'trigger/wrong-schedule', 'trigger/new-run-each-time', 'timestamps/runs', 'backfill-states/run-running',
  'backfill-states/run-variables',
] // biome-ignore format: a list of ids

/** Reads the schedules of a pipeline, where the target has some. */
export async function checkSchedules(context: RunContext): Promise<void> {
  await judgePipelines(context)
  const found = await findSchedules(context)
  if (typeof found === 'string') {
    const remedy = context.provided.useConventions
      ? 'POST /api/pipelines/:uuid/pipeline_schedules created none either; create one on the target.'
      : 'Create one on the target, or pass --use-conventions so that the verifier may.'
    const missing = `There is no schedule ${found}. ${remedy}`
    context.verdicts.notReached(
      [...scheduleRules, ...fieldsOf('schedule').map(({ id }) => id)],
      missing,
      'need',
    )
    return
  }
  await judgeSchedules(context, found)
}

/** Triggers a schedule and checks the run. */
export async function checkTrigger(context: RunContext): Promise<void> {
  const home = await context.pipelineFor('home')
  const empty = await context.get(`/api/pipelines/${home}/pipeline_schedules`)
  const metadata = metadataIn(empty)
  context.check(
    'schedule-list/envelope',
    listIn(empty, 'pipeline_schedules') !== undefined && metadata !== undefined,
    empty,
  )
  context.check(
    'list-metadata/schedules',
    Number.isInteger(metadata?.count) && typeof metadata?.next === 'boolean',
    empty,
    metadata,
  )
  const schedule = await findTrigger(context, await findSchedules(context))
  if (schedule === undefined) {
    const missing = context.provided.useConventions
      ? 'No schedule could be created to trigger; pass --need schedule=ID:TOKEN.'
      : 'No schedule may be triggered; pass --need schedule=ID:TOKEN, or --use-conventions so that the verifier creates one.'
    context.verdicts.notReached([...runRules, ...fieldsOf('run').map(({ id }) => id)], missing, 'need')
    return
  }
  await judgeRun(context, schedule)
  await startLogs(context)
}

async function judgePipelines(context: RunContext): Promise<void> {
  const list = await context.get('/api/pipelines')
  const timestamps = (listIn(list, 'pipelines') ?? [])
    .map((item) => item.updated_at)
    // What the items of this list carry is not shown (`pipelines-list-shape`).
    .filter((value) => value !== null && value !== undefined)
  if (timestamps.length === 0) {
    context.verdicts.notReached(
      ['timestamps/pipelines'],
      'No pipeline has an updated_at; change one first.',
      'need',
    )
    return
  }
  const fits = timestamps.every((value) => microsecondsPattern.test(String(value)))
  context.check('timestamps/pipelines', fits, list, timestamps.slice(0, 3))
}

const idsIn = (exchange: Exchange): unknown[] =>
  (listIn(exchange, 'pipeline_schedules') ?? []).map(({ id }) => id)

/** Reads the schedules of a pipeline in every way; undefined where others changed them meanwhile, at every try. */
async function readSchedules(context: RunContext, pipeline: string) {
  const path = `/api/pipelines/${encodeURIComponent(pipeline)}/pipeline_schedules`
  const read = await retryUnstable(
    async () => {
      const all = await context.get(path)
      return { all, found: listIn(all, 'pipeline_schedules') ?? [] }
    },
    async ({ found }) => {
      const tagsOf = ({ tags }: ReceivedRecord) => (Array.isArray(tags) ? tags.map(String) : [])
      const tagged = (tag: string) => found.filter((one) => tagsOf(one).includes(tag)).map(({ id }) => id)
      const none = await context.get(`${path}?tag[]=${context.prefix}-no-such-tag`)
      const asked = await context.get(`/api/pipelines/${encodeURIComponent(pipeline)}?include_schedules=1`)
      const [one, two] = [...new Set(found.flatMap(tagsOf))].toSorted(
        (a, b) => tagged(a).length - tagged(b).length,
      )
      if (one === undefined || two === undefined) return { none, asked, byTag: undefined }
      const first = encodeURIComponent(one)
      const byTag = {
        ofOne: tagged(one),
        ofTwo: tagged(two),
        byOne: await context.get(`${path}?tag[]=${first}`),
        encoded: await context.get(`${path}?tag%5B%5D=${first}`),
        both: await context.get(`${path}?tag[]=${first}&tag[]=${encodeURIComponent(two)}`),
      }
      return { none, asked, byTag }
    },
    ({ found }) => found.map(({ id, tags }) => [id, tags]),
  )
  return read && { ...read.seen, ...read.asked }
}

async function judgeSchedules(context: RunContext, { pipeline }: FoundSchedules): Promise<void> {
  const read = await readSchedules(context, pipeline)
  if (read === undefined || metadataIn(read.all)?.next === true) {
    const why = read === undefined ? 'change with every read' : 'fill more than one page'
    const remedy = context.provided.useConventions
      ? 'create a pipeline with fewer'
      : 'pass --use-conventions so that the verifier creates its own'
    context.verdicts.notReached(
      [...scheduleRules, ...fieldsOf('schedule').map(({ id }) => id)],
      `The schedules of ${pipeline} ${why}; ${remedy}.`,
      'need',
    )
    return
  }
  const { all, found, none, asked, byTag } = read
  const foreign = found.filter((schedule) => schedule.pipeline_uuid !== pipeline)
  context.check(
    'schedule-list/belongs',
    foreign.length === 0,
    all,
    foreign.map((one) => one.pipeline_uuid),
    {
      described: `schedules of ${pipeline} only`,
    },
  )
  for (const schedule of found) context.observe('schedule', schedule, all)
  const timestamps = found.flatMap(({ created_at, updated_at, start_time }) => [
    created_at,
    updated_at,
    start_time,
  ])
  const isLong = timestamps.every((value) => value === null || microsecondsPattern.test(String(value)))
  context.check('timestamps/schedules', isLong, all, timestamps.slice(0, 3))
  const tokens = found.map(({ token }) => token)
  const isUnique = new Set(tokens).size === tokens.length
  context.check('schedule-list/token-unique', isUnique, all, 'two schedules share a token')
  context.compare('schedule-list/no-such-tag', [], idsIn(none), none)

  const record = recordIn(asked, 'pipeline')
  // The key is not shown: of the arrays of a pipeline, only triggers have an id.
  const carried = Object.values(record ?? {}).find(
    (value): value is ReceivedRecord[] =>
      Array.isArray(value) && value.some((item) => isObject(item) && Object.hasOwn(item, 'id')),
  )
  const carriedIds = carried?.map((item) => (isObject(item) ? item.id : undefined)).sort()
  context.compare('pipeline-read/schedules-are-its-own', idsIn(all).sort(), carriedIds, asked)

  if (byTag === undefined) {
    context.verdicts.notReached(
      tagRules,
      `No pipeline has schedules with two different tags; on the target, give tags to two schedules of ${pipeline}.`,
      'need',
    )
    return
  }
  const { ofOne, ofTwo, byOne, encoded, both } = byTag
  context.compare('schedule-list/one-tag', ofOne.toSorted(), idsIn(byOne).sort(), byOne)
  context.compare('schedule-list/encoded-tag', ofOne.toSorted(), idsIn(encoded).sort(), encoded)
  const either = [...new Set([...ofOne, ...ofTwo])].sort()
  context.compare('schedule-list/two-tags', either, idsIn(both).sort(), both)
  context.check(
    'limits/tags-or',
    either.every((id) => idsIn(both).includes(id)),
    both,
    idsIn(both),
    {
      described: `at least ${JSON.stringify(either)}`,
    },
  )
}

async function judgeRun(context: RunContext, { id, token, activate }: Triggerable): Promise<void> {
  const path = `/api/pipeline_schedules/${id}/pipeline_runs`
  const secret = encodeURIComponent(token)
  const sent = { answer: 42, nested: { list: [1, 'two', null], flag: true } }
  let reply = await context.post(`${path}/${secret}`, sent)
  // Whether a schedule that is not active runs is not said (`trigger-inactive`).
  if (isError(reply) && activate !== undefined) {
    await activate()
    reply = await context.post(`${path}/${secret}`, sent)
  }
  const run = recordIn(reply, 'pipeline_run')
  context.check('trigger/returns-run', run !== undefined, reply)
  context.compare('trigger/running', 'running', run?.status, reply)
  context.compare('backfill-states/run-running', 'running', run?.status, reply)
  context.compare('trigger/event-variables', sent, run?.event_variables, reply)
  context.compare('backfill-states/run-variables', sent, run?.event_variables, reply)
  const nested = (run?.event_variables as ReceivedRecord | undefined)?.nested
  context.compare('trigger/nested-variables', sent.nested, nested, reply)
  context.check(
    'trigger/schedule',
    String(run?.pipeline_schedule_id) === id,
    reply,
    run?.pipeline_schedule_id,
  )
  context.compare('trigger/variables', {}, run?.variables, reply)
  context.check(
    'trigger/not-completed',
    run !== undefined && run.completed_at === null,
    reply,
    run?.completed_at,
  )
  context.observe('run', run, reply)
  const timestamps = [run?.execution_date, run?.created_at, run?.updated_at]
  context.check(
    'timestamps/runs',
    timestamps.every((value) => microsecondsPattern.test(String(value))),
    reply,
    timestamps,
  )
  const pipeline = await context.get(`/api/pipelines/${run?.pipeline_uuid}/pipeline_schedules`)
  const owns = listIn(pipeline, 'pipeline_schedules')?.some((schedule) => String(schedule.id) === id) === true
  context.check('trigger/pipeline', owns, reply, run?.pipeline_uuid)

  const again = await context.post(`${path}/${secret}`, {})
  const second = recordIn(again, 'pipeline_run')
  context.compare('trigger/empty-body', {}, second?.event_variables, again)
  context.check('trigger/new-run-each-time', second !== undefined && second.id !== run?.id, again, second?.id)
  context.checkRefused('trigger/wrong-token', await context.post(`${path}/not-${secret}`, {}))
  const nowhere = await context.post(`/api/pipeline_schedules/999999999/pipeline_runs/${secret}`, {})
  context.checkRefused('trigger/wrong-schedule', nowhere)
}
