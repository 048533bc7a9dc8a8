import { tryParseJson } from '../../src/shared/json.ts'
import { isObject } from '../../src/shared/values.ts'
import { lengthOf } from './bytes.ts'
import { type FuzzRequest, isApi } from './requests.ts'
import type { FuzzReply, Outcome } from './send-request.ts'

/** The keys of envelopes, singular and plural: those of the API specification, and one of the fixture. */
const plurals: Readonly<Record<string, string>> = {
  pipeline: 'pipelines',
  block: 'blocks',
  backfill: 'backfills',
  pipeline_schedule: 'pipeline_schedules',
  pipeline_run: 'pipeline_runs',
  log: 'logs',
  oauth_access_token: 'oauth_access_tokens',
  session: 'sessions',
  status: 'statuses',
}
const singularKeys = new Set(Object.keys(plurals))
const pluralKeys = new Set(Object.values(plurals))

/** Patterns of texts that no reply may show: traces, names of errors, paths of this machine. */
const leaks = [
  /\n\s*at \S/,
  /\\n\s+at \S/,
  /\bnode:\w+/,
  /node_modules/,
  /file:\/\//,
  /\/(?:dist|src)\/\w+/,
  /\b(?:Type|Range|Syntax|Reference|URI|Internal)?Error:/,
]

/** The bytes of a body that the server reads to its end, below `/api` and elsewhere (`src/server/listener.ts`). */
const read = { api: 40 * 1024 * 1024, elsewhere: 64 * 1024 }

/** Describes the error in the outcome of a request; empty if it is correct. */
export function checkReply(sent: FuzzRequest, outcome: Outcome): string[] {
  if (outcome === 'refused') return ['The server accepts no connections: it is dead.']
  if (outcome === 'hangs') return ['No reply within 15 s.']
  if (outcome === 'closed') {
    // The server does not read a longer body to its end, so its sender may not see the reply.
    const isTooLong =
      sent.body !== undefined && lengthOf(sent.body) > (isApi(sent.target) ? read.api : read.elsewhere)
    return isTooLong ? [] : ['The connection was closed without a reply.']
  }
  const leaking = leaks.flatMap((pattern) => pattern.exec(outcome.text)?.[0] ?? [])
  return [...leaking.map((leak) => `The reply shows ${JSON.stringify(leak)}.`), ...checkForm(sent, outcome)]
}

function checkForm({ method, target }: FuzzRequest, { status, headers, body }: FuzzReply): string[] {
  if (status >= 500) return [`HTTP ${status}: ${excerpt(body)}`]
  if (!isApi(target)) return []
  if (method === 'OPTIONS')
    return status === 204 && body === '' ? [] : [`OPTIONS was answered with HTTP ${status}.`]
  if (status !== 200) return [`HTTP ${status} under /api: ${excerpt(body)}`]
  const type = headers['content-type']
  if (type !== 'application/json') return [`Content-Type ${type} under /api.`]
  if (method === 'HEAD') return []
  return isEnvelope(tryParseJson(body)) ? [] : [`No envelope: ${excerpt(body)}`]
}

function isEnvelope(value: unknown): boolean {
  if (!isObject(value)) return false
  if ('error' in value) return isError(value)
  const [key = '', ...others] = Object.keys(value)
  if (singularKeys.has(key)) return isObject(value[key]) && others.length === 0
  return (
    pluralKeys.has(key) &&
    Array.isArray(value[key]) &&
    others.length === 1 &&
    isObject(value.metadata) &&
    (key === 'logs' || (Number.isInteger(value.metadata.count) && typeof value.metadata.next === 'boolean'))
  )
}

function isError(value: unknown): boolean {
  if (!isObject(value) || value.status !== 200 || !isObject(value.error)) return false
  const { error } = value
  return (
    Object.keys(value).toSorted().join() === 'error,status' &&
    Object.keys(error).toSorted().join() === 'code,message,type' &&
    Number.isInteger(error.code) &&
    typeof error.message === 'string' &&
    typeof error.type === 'string'
  )
}

function excerpt(text: string): string {
  return JSON.stringify(text.length > 300 ? `${text.slice(0, 300)}…` : text)
}
