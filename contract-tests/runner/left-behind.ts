import { carriedBlocks } from '../model-based/compare.ts'
import type { CleanupEntry } from './cleanup-log.ts'
import { type Client, TransportError } from './client.ts'
import { candidatesOf, pipelineOf } from './record-owner.ts'
import { tokenEncodings } from './token-encodings.ts'
import { readWhole } from './whole-list.ts'

/** A record that a run has created and that is still on the target; no request deletes a token. */
export interface LeftRecord {
  readonly kind: CleanupEntry['kind'] | 'token'
  readonly path: string
}

/** Leaves out the records that the target shows to be gone. One that no reply shows is left on it, as far as is known. */
export async function recordsLeft(client: Client, entries: readonly CleanupEntry[]): Promise<CleanupEntry[]> {
  const left: CleanupEntry[] = []
  try {
    for (const entry of entries) if (!(await isGone(client, entry))) left.push(entry)
    return left
  } catch (error) {
    if (error instanceof TransportError) return [...entries]
    throw error
  }
}

/** The tokens of the sessions that a run has opened, as far as the target lists them. */
export async function tokensLeft(client: Client, rawTokens: ReadonlySet<string>): Promise<LeftRecord[]> {
  if (rawTokens.size === 0) return []
  const tokens = new Set([...rawTokens].flatMap((raw) => tokenEncodings.map(({ decode }) => decode(raw))))
  try {
    const path = '/api/oauth_access_tokens'
    const list = await readWhole((asked) => client.send('GET', asked), path, 'oauth_access_tokens')
    const own = (list?.records ?? []).filter(({ token }) => typeof token === 'string' && tokens.has(token))
    return own.map(({ id }) => ({ kind: 'token', path: id === undefined ? path : `${path}/${id}` }))
  } catch (error) {
    if (error instanceof TransportError) return []
    throw error
  }
}

async function isGone(client: Client, entry: CleanupEntry): Promise<boolean> {
  // No request reads a run, which belongs to its pipeline.
  const read = entry.kind === 'run' ? ({ ...entry, kind: 'pipeline' } as const) : entry
  const records = await candidatesOf(client, read, pipelineOf(entry))
  if (entry.kind !== 'block') return records?.length === 0
  const uuid = decodeURIComponent(entry.path.split('/')[5]?.split('?')[0] ?? '')
  return !records?.flatMap(carriedBlocks).some((block) => block.uuid === uuid)
}
