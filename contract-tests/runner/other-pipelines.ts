import { setTimeout as wait } from 'node:timers/promises'
import { isObject } from './is-object.ts'
import { listIn, type ReceivedRecord } from './replies.ts'
import type { RunContext } from './run-context.ts'
import { isOfSomeRun } from './run-id.ts'
import { readWhole } from './whole-list.ts'

/** Maximum number of pipelines to search for records that no request creates. */
const mostSearched = 100

/** Pipelines of other clients to search, and the text of the report if none of them has the records. */
export interface SearchedPipelines {
  readonly uuids: readonly string[]
  /** `in the first 100 pipelines of others`, or `in any pipeline of others`. */
  readonly where: string
}

/** The pipelines of the target that are not of the verifier, behind all pages, those with triggers first. */
export async function otherPipelines(context: RunContext): Promise<SearchedPipelines> {
  const list = await readWhole((path) => context.get(path), '/api/pipelines?include_schedules=1', 'pipelines')
  const others = (list?.records ?? []).filter(({ uuid }) => {
    const text = String(uuid)
    return !text.startsWith(context.prefix) && !isOfSomeRun(text)
  })
  const [withTriggers, without] = [others.filter(hasTriggers), others.filter((one) => !hasTriggers(one))]
  const isWhole = others.length <= mostSearched && list?.isWhole !== false
  return {
    uuids: [...withTriggers, ...without].slice(0, mostSearched).map(({ uuid }) => String(uuid)),
    where: isWhole ? 'in any pipeline of others' : `in the first ${mostSearched} pipelines of others`,
  }
}

/** Returns whether an item contains records with ids: the specification does not show the key of its triggers. */
function hasTriggers(pipeline: ReceivedRecord): boolean {
  return Object.values(pipeline).some(
    (value) => Array.isArray(value) && value.some((item) => isObject(item) && 'id' in item),
  )
}

/** Maximum time to wait for log files, and between two reads of them, in milliseconds. */
const [patience, longestPause] = [6_000, 1_600]

/** Finds a pipeline that has log files, others' before the one created for the purpose. */
export async function findLogs(context: RunContext): Promise<string | undefined> {
  const found = await findOtherLogs(context)
  if (found !== undefined || context.logged === undefined) return found
  for (let waited = 0, pause = 200; ; waited += pause, pause = Math.min(2 * pause, longestPause)) {
    if (await hasLogs(context, context.logged.run)) return context.logged.run
    if (waited >= patience) return undefined
    await wait(pause)
  }
}

async function hasLogs(context: RunContext, pipeline: string): Promise<boolean> {
  const reply = await context.get(`/api/pipelines/${encodeURIComponent(pipeline)}/logs`)
  const files = (listIn(reply, 'logs') ?? []).flatMap(({ block_run_logs: ofBlocks }) => ofBlocks)
  return files.filter(isObject).length > 1
}

async function findOtherLogs(context: RunContext): Promise<string | undefined> {
  const { uuids } = await otherPipelines(context)
  for (const pipeline of uuids) if (await hasLogs(context, pipeline)) return pipeline
  return undefined
}
