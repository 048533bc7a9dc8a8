import type { Client, Exchange } from './client.ts'
import { excerptOf } from './excerpt.ts'
import { listIn } from './replies.ts'

/** The lists that an invalid record of the verifier could break for all clients. */
const lists = {
  '/api/pipelines': 'pipelines',
  '/api/backfills': 'backfills',
  '/api/oauth_access_tokens': 'oauth_access_tokens',
} as const

/** Lists that answered before the first request that a target may store wrongly. */
export type Health = ReadonlySet<string>

/** Reads every list. */
export async function readHealth(client: Client): Promise<Health> {
  // The preflight requests have read this list.
  const answering = new Set<string>(['/api/pipelines'])
  for (const [path, plural] of Object.entries(lists)) {
    if (answering.has(path)) continue
    if (listIn(await client.send('GET', path), plural) !== undefined) answering.add(path)
  }
  return answering
}

/** Reports the damage: lists that answered before and no longer do. */
export async function harmSince(client: Client, before: Health): Promise<string[]> {
  const harm: string[] = []
  for (const path of before) {
    const plural = Object.entries(lists).find(([list]) => list === path)?.[1] ?? ''
    const reply = await client.send('GET', path)
    if (listIn(reply, plural) === undefined)
      harm.push(client.redact(`GET ${path} answered before and does not any more: ${statusText(reply)}`))
  }
  return harm
}

function statusText({ error, httpStatus }: Exchange): string {
  return error === undefined
    ? `HTTP ${httpStatus} without the list.`
    : excerptOf(String(error.message ?? error.type ?? error.code))
}
