import type { UnderstudyRequest } from '../messages.ts'

const tilde = /~|%7e|\\u007e/i

/**
 * The name of the world a request asks for: that of the header `X-Understudy-World`, else what follows the last `~` of
 * its API key, which is looked for where the API looks for it: header, query, body. `undefined` for the main world.
 */
export function chooseWorld(
  { headers, body }: UnderstudyRequest,
  search: string,
  isKey: (text: string) => boolean,
): string | undefined {
  const named = headers?.['x-understudy-world']
  if (named !== undefined) return String(named)
  const key = headers?.['x-api-key'] ?? queryKey(search) ?? bodyKey(body)
  // Most requests have no key, and most keys no world.
  if (typeof key !== 'string' || !key.includes('~') || isKey(key)) return undefined
  return key.slice(key.lastIndexOf('~') + 1)
}

function queryKey(search: string): string | undefined {
  if (!tilde.test(search)) return undefined
  return new URLSearchParams(search).get('api_key') ?? undefined
}

function bodyKey(body: UnderstudyRequest['body']): unknown {
  if (typeof body !== 'string' || !tilde.test(body)) return undefined
  try {
    const value: unknown = JSON.parse(body)
    return typeof value === 'object' && value !== null ? (value as { api_key?: unknown }).api_key : undefined
  } catch {
    // What is wrong with it is said by the operation.
    return undefined
  }
}
