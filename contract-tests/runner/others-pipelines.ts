import { setTimeout as wait } from 'node:timers/promises'
import { listIn } from './replies.ts'
import { isOfSomeRun } from './run-id.ts'
import type { ScenarioContext } from './scenario-context.ts'

/** How many pipelines of a target are searched for what cannot be created. */
const mostSearched = 25

/** The pipelines of the target, but for those of the suite: what it looks for is what others have made. */
export async function othersPipelines(context: ScenarioContext): Promise<string[]> {
  const list = listIn(await context.get('/api/pipelines'), 'pipelines') ?? []
  return list
    .map(({ uuid }) => String(uuid))
    .filter((uuid) => !uuid.startsWith(context.prefix) && !isOfSomeRun(uuid))
    .slice(0, mostSearched)
}

/** How long log files are waited for, in milliseconds: sequences have been told since their run was started. */
const patience = 5_000

/** Finds a pipeline that has log files, others' before the one that was made for them. */
export async function findLogs(context: ScenarioContext): Promise<string | undefined> {
  const found = await findOthersLogs(context)
  if (found !== undefined || context.logged === undefined) return found
  for (let waited = 0, pause = 200; ; waited += pause, pause *= 2) {
    if (await hasLogs(context, context.logged)) return context.logged
    if (waited + pause > patience) return undefined
    await wait(pause)
  }
}

async function hasLogs(context: ScenarioContext, pipeline: string): Promise<boolean> {
  const reply = await context.get(`/api/pipelines/${encodeURIComponent(pipeline)}/logs`)
  const [entry] = listIn(reply, 'logs') ?? []
  return Array.isArray(entry?.block_run_logs) && entry.block_run_logs.length > 1
}

async function findOthersLogs(context: ScenarioContext): Promise<string | undefined> {
  for (const pipeline of await othersPipelines(context)) if (await hasLogs(context, pipeline)) return pipeline
  return undefined
}
