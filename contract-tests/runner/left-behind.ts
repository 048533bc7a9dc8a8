import { type Client, type Exchange, orNothing } from './client.ts'
import { isError } from './replies.ts'
import { tokenEncodings } from './token-encodings.ts'
import { readWhole } from './whole-list.ts'

/** A record that a run has created and that is still on the target. No request deletes a run or a token. */
export interface LeftRecord {
  readonly kind: 'pipeline' | 'backfill' | 'run' | 'token'
  readonly path: string
  /** The uuid of its pipeline. */
  readonly home?: string
}

/** Finds the remaining created pipelines that the target still shows, and their backfills. */
export async function pipelinesLeft(client: Client, uuids: readonly string[]): Promise<LeftRecord[]> {
  const left: LeftRecord[] = []
  for (const uuid of uuids) {
    const path = pipelinePath(uuid)
    const reply = await orNothing(client.send('GET', path))
    if (reply === undefined || !isError(reply)) left.push({ kind: 'pipeline', path })
    // They may outlive their pipeline.
    const list = `/api/backfills?pipeline_uuid=${encodeURIComponent(uuid)}`
    const whole = await orNothing(readWhole((page) => client.send('GET', page), list, 'backfills'))
    for (const { id, pipeline_uuid: home } of whole?.records ?? [])
      if (home === uuid) left.push({ kind: 'backfill', path: `/api/backfills/${id}`, home: uuid })
  }
  return left
}

/** Omits the runs of deleted pipelines, because no request reads a run. */
export async function runsLeft(client: Client, runs: Iterable<LeftRecord>): Promise<LeftRecord[]> {
  const pipelines = new Map<string, Exchange | undefined>()
  const left: LeftRecord[] = []
  for (const run of runs) {
    const { home = '' } = run
    if (!pipelines.has(home)) pipelines.set(home, await orNothing(client.send('GET', pipelinePath(home))))
    const reply = pipelines.get(home)
    if (reply === undefined || !isError(reply)) left.push(run)
  }
  return left
}

/** The tokens of the sessions that a run has opened, as far as the target lists them. */
export async function tokensLeft(client: Client, rawTokens: ReadonlySet<string>): Promise<LeftRecord[]> {
  if (rawTokens.size === 0) return []
  const tokens = new Set([...rawTokens].flatMap((raw) => tokenEncodings.map(({ decode }) => decode(raw))))
  const path = '/api/oauth_access_tokens'
  const list = await orNothing(readWhole((page) => client.send('GET', page), path, 'oauth_access_tokens'))
  const own = (list?.records ?? []).filter(({ token }) => typeof token === 'string' && tokens.has(token))
  return own.map(({ id }) => ({ kind: 'token', path: id === undefined ? path : `${path}/${id}` }))
}

/** The path of a pipeline. */
export function pipelinePath(uuid: string): string {
  return `/api/pipelines/${encodeURIComponent(uuid)}`
}
