import type { Exchange } from '../../contract-tests/runner/client.ts'
import { isObject } from '../../contract-tests/runner/is-object.ts'

/** One recorded exchange; with stable pseudonyms for secrets, and shortened tracebacks and contents. */
export interface Recorded {
  readonly method: string
  readonly path: string
  readonly credentials?: Readonly<Record<string, string>>
  readonly body?: unknown
  readonly reply: { readonly status: number; readonly contentType: string; readonly body: unknown }
}

/** The source of a recording. */
export interface Recording {
  readonly source: string
  readonly prefix: string
  readonly exchanges: readonly Recorded[]
}

const longest = 300

/** Converts exchanges into a recording without secrets. */
export function toRecording(
  source: string,
  prefix: string,
  exchanges: readonly Exchange[],
  secrets: readonly string[],
): Recording {
  const pseudonyms = new Map<string, string>()
  for (const secret of secrets) pseudonyms.set(secret, `secret-${pseudonyms.size + 1}`)
  for (const { body } of exchanges) collectTokens(body, pseudonyms)
  const longestFirst = [...pseudonyms].sort(([one], [other]) => other.length - one.length)
  const rename = (text: string) =>
    longestFirst.reduce((all, [secret, name]) => all.replaceAll(secret, name), text)
  const recorded = exchanges.map(
    ({ method, path, credentials, requestBody, httpStatus, contentType, body, text }) => ({
      method,
      path,
      ...(Object.keys(credentials).length > 0 && { credentials }),
      ...(requestBody !== undefined && { body: requestBody }),
      reply: { status: httpStatus, contentType, body: body === undefined ? text : shorten(body) },
    }),
  )
  return { source, prefix, exchanges: JSON.parse(rename(JSON.stringify(recorded))) }
}

/** Gives every token a name; a raw token's name still decodes to the name of the token inside. */
function collectTokens(value: unknown, pseudonyms: Map<string, string>): void {
  if (typeof value !== 'object' || value === null) return
  for (const [key, inner] of Object.entries(value)) {
    if (key !== 'token' || typeof inner !== 'string') {
      collectTokens(inner, pseudonyms)
    } else if (inner.split('.').length === 3) {
      const payload = JSON.parse(Buffer.from(inner.split('.')[1]!, 'base64url').toString('utf8')) as {
        token: string
      }
      const decoded = nameOf(payload.token, pseudonyms)
      const part = (content: object) => Buffer.from(JSON.stringify(content)).toString('base64url')
      if (!pseudonyms.has(inner))
        pseudonyms.set(inner, `${part({ alg: 'HS256' })}.${part({ ...payload, token: decoded })}.signature`)
    } else {
      nameOf(inner, pseudonyms)
    }
  }
}

function nameOf(token: string, pseudonyms: Map<string, string>): string {
  const name = pseudonyms.get(token) ?? `token-${pseudonyms.size + 1}`
  pseudonyms.set(token, name)
  return name
}

/** Shortens tracebacks, contents of templates and paths of a machine. */
function shorten(value: unknown): unknown {
  if (typeof value === 'string') {
    const text = value.replaceAll(/(?:\/[\w.-]+)+\/(?=demo-|\.venv|pipelines\/)/g, '/srv/')
    return text.length > longest ? `${text.slice(0, longest)}…` : text
  }
  if (Array.isArray(value)) return value.map(shorten)
  if (!isObject(value)) return value
  return Object.fromEntries(
    Object.entries(value).map(([key, inner]) => {
      if (key === 'errors' && Array.isArray(inner)) return [key, ['<traceback>']]
      if (key === 'message' && String(inner).includes('Traceback')) return [key, '<traceback>']
      return [key, shorten(inner)]
    }),
  )
}
