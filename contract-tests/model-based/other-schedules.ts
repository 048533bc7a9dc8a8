import type { RuleId } from '../rules/index.ts'
import type { Exchange } from '../runner/client.ts'
import { otherPipelines } from '../runner/other-pipelines.ts'
import { equal, listIn, metadataIn, type ReceivedRecord, recordIn, triggersIn } from '../runner/replies.ts'
import { type SequenceRun, unless } from './sequence-run.ts'

/** A pipeline of another client, and its schedules. */
interface FoundSchedules {
  readonly pipeline: string
  readonly schedules: readonly ReceivedRecord[]
}

/** Finds a pipeline of another client with schedules, preferably with two tags; without any, returns where it searched. */
export async function findOtherSchedules({ context }: SequenceRun): Promise<FoundSchedules | string> {
  const { uuids, where } = await otherPipelines(context)
  let found: FoundSchedules | undefined
  for (const pipeline of uuids) {
    const reply = await context.get(`/api/pipelines/${encodeURIComponent(pipeline)}/pipeline_schedules`)
    // Without parameters for pages, a list of several cannot be compared.
    if (metadataIn(reply)?.next === true) continue
    const next = { pipeline, schedules: listIn(reply, 'pipeline_schedules') ?? [] }
    if (new Set(next.schedules.flatMap(tagsOf)).size >= 2) return next
    if (next.schedules.length > 0) found ??= next
  }
  return found ?? where
}

/** Maximum number of repetitions if other clients change the schedules. */
const maxReads = 4

/** Reads schedules that the verifier did not create, by tags and in their pipeline: the replies must match each other. */
export async function readOtherSchedules(sequence: SequenceRun): Promise<void> {
  const { context } = sequence
  // With conventions the verifier creates its own.
  if (context.provided.useConventions) return
  const found = await findOtherSchedules(sequence)
  if (typeof found === 'string') {
    const remedy = context.provided.readOnly ? '' : ', or pass --use-conventions so that the verifier may'
    context.missing.schedule = `There is no schedule ${found}. Create one on the target${remedy}.`
    return
  }
  const pipeline = `/api/pipelines/${encodeURIComponent(found.pipeline)}`
  const list = (query = '') => context.get(`${pipeline}/pipeline_schedules${query}`)
  for (let read = 0; read < maxReads; read++) {
    const all = await list()
    const schedules = listIn(all, 'pipeline_schedules') ?? []
    const [one, two] = [...new Set(schedules.flatMap(tagsOf))]
    const replies: (readonly [rule: RuleId, reply: Exchange, expected: readonly unknown[]])[] = []
    const filter = async (
      query: string,
      tags: readonly string[],
      rule: RuleId = 'list-pipeline-schedules/filter',
    ) => {
      const expected = schedules.filter((schedule) => tagsOf(schedule).some((tag) => tags.includes(tag)))
      replies.push([rule, await list(query), idsOf(expected)])
    }
    // No schedule has it, or those that do are expected.
    const near = one?.slice(0, -1) || `${context.prefix}-no-such-tag`
    await filter(`?tag[]=${encodeURIComponent(near)}`, [near])
    if (one !== undefined && two !== undefined) {
      const [first, second] = [encodeURIComponent(one), encodeURIComponent(two)]
      await filter(`?tag[]=${first}`, [one])
      await filter(`?tag%5B%5D=${first}`, [one], 'schedule-list/encoded-tag')
      await filter(`?tag[]=${first}&tag%5b%5d=${second}`, [one, two])
      await filter(`?tag[]=${context.prefix}&tag[]=${near}&tag[]=${second}`, [near, two])
    } else
      context.missing.schedule = `No pipeline has schedules with two different tags; on the target, give tags to two schedules of ${found.pipeline}.`
    const [plain, withSchedules] = [
      await context.get(pipeline),
      await context.get(`${pipeline}?include_schedules=1`),
    ]
    if (!equal(schedules.map(idAndTags), listIn(await list(), 'pipeline_schedules')?.map(idAndTags))) continue
    for (const [rule, reply, expected] of replies) {
      const received = idsOf(listIn(reply, 'pipeline_schedules') ?? [])
      sequence.note(rule, reply, unless(equal(received, expected), received, expected))
    }
    const carried = triggersIn(recordIn(withSchedules, 'pipeline'), recordIn(plain, 'pipeline'))
    if (carried !== undefined) {
      const flaw = unless(equal(idsOf(carried), idsOf(schedules)), idsOf(carried), idsOf(schedules))
      sequence.note('read-pipeline/triggers', withSchedules, flaw)
    }
    return
  }
  context.missing.schedule = `The schedules of ${found.pipeline} change with every read; pass --use-conventions so that the verifier creates its own.`
}

function tagsOf({ tags }: ReceivedRecord): string[] {
  return Array.isArray(tags) ? tags.map(String) : []
}

function idAndTags({ id, tags }: ReceivedRecord): unknown {
  return { id, tags }
}

function idsOf(records: readonly ReceivedRecord[]): unknown[] {
  return records.map(({ id }) => id).sort()
}
