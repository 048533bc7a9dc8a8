import { tryParseJson } from '../../src/shared/json.ts'
import { type Broken, type FuzzCase, isApi, lengthOf, limits, type WellFormed } from './cases.ts'
import type { ConnectionOutcome, RawReply } from './connection.ts'

/** The keys of success envelopes: singular and plural (the document, conventions, rule 3), and those of the fixture. */
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

/** What no reply may show: traces, names of errors, paths of this machine. */
const leaks = [
  /\n\s*at \S/,
  /\\n\s+at \S/,
  /\bnode:\w+/,
  /node_modules/,
  /file:\/\//,
  /\/(?:dist|src)\/\w+/,
  /\b(?:Type|Range|Syntax|Reference|URI|Internal)?Error:/,
]

/** Returns the violations of an outcome; empty if there is none. */
export function checkReplies(sent: FuzzCase, outcome: ConnectionOutcome): string[] {
  const { replies, ending } = outcome
  if (ending === 'refused') return ['The server does not take connections: it is dead.']
  if (ending === 'hangs') return ['Neither an answer nor a closed connection within 15 s.']
  const leaking = replies.flatMap(({ text }) => leaks.flatMap((pattern) => pattern.exec(text)?.[0] ?? []))
  return [
    ...leaking.map((leak) => `The reply shows ${JSON.stringify(leak)}.`),
    ...(sent.kind === 'request' ? checkWellFormed(sent, outcome) : checkBroken(sent, outcome)),
  ]
}

function checkWellFormed(sent: WellFormed, { replies: [reply], rest }: ConnectionOutcome): string[] {
  if (rest !== '') return [`Bytes that are no reply: ${excerpt(rest)}`]
  if (reply === undefined) {
    // Where nothing reads a long body, the answer is lost when the connection closes under its sender.
    const read = isApi(sent.target) ? limits.drained : limits.unread
    const isTooLong = sent.body !== undefined && lengthOf(sent.body) > read
    return isTooLong ? [] : ['The connection was closed without an answer.']
  }
  if (reply.status >= 500) return [`HTTP ${reply.status}: ${excerpt(reply.body)}`]
  if (!isApi(sent.target)) return []
  if (sent.method === 'OPTIONS')
    return reply.status === 204 && reply.body === ''
      ? []
      : [`OPTIONS was answered with HTTP ${reply.status}.`]
  if (reply.status !== 200) return [`HTTP ${reply.status} under /api: ${excerpt(reply.body)}`]
  if (reply.headers['content-type'] !== 'application/json')
    return [`Content-Type ${reply.headers['content-type']} under /api.`]
  if (sent.method === 'HEAD') return []
  return isEnvelope(reply.body) ? [] : [`No envelope: ${excerpt(reply.body)}`]
}

function checkBroken(sent: Broken, { replies, rest }: ConnectionOutcome): string[] {
  const { ending, replies: expected } = sent
  // A client that tears the connection down may have read half a reply.
  if (rest !== '' && ending !== 'destroy') return [`Bytes that are no reply: ${excerpt(rest)}`]
  const finals = replies.filter(({ status }) => status >= 200)
  if (expected !== undefined && finals.length !== expected)
    return [
      `${finals.length} replies, not ${expected}: ${excerpt(finals.map(({ status, body }) => `${status} ${body}`).join(' | '))}`,
    ]
  const mayBePage = leadsElsewhere(sent)
  return finals.flatMap((reply) =>
    isFairAnswer(reply, mayBePage)
      ? []
      : [`HTTP ${reply.status} whose body is no envelope: ${excerpt(reply.body)}`],
  )
}

/** Whether one of its request lines has a target that is not under `/api`, such as `/#pipelines`: a page may be there. */
function leadsElsewhere({ pieces }: Broken): boolean {
  const text = pieces.map(({ head, unit, tail }) => head + unit + tail).join('')
  return [...text.matchAll(/^[A-Z]+ (\S+) HTTP\//gm)].some(([, target]) => !isApi(target!))
}

function isFairAnswer({ status, headers, body }: RawReply, mayBePage: boolean): boolean {
  if (status === 204) return body === ''
  const value = tryParseJson(body)
  if (status === 200 && mayBePage && headers['content-type']?.startsWith('text/html')) return true
  if (status === 200) return isEnvelopeValue(value)
  // What is not under /api and what is no HTTP have a status of their own.
  return isError(value) || (status === 404 && isObject(value) && 'title' in value && 'detail' in value)
}

function isEnvelope(body: string): boolean {
  return isEnvelopeValue(tryParseJson(body))
}

function isEnvelopeValue(value: unknown): boolean {
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

function isObject(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}

function excerpt(text: string): string {
  return JSON.stringify(text.length > 300 ? `${text.slice(0, 300)}…` : text)
}
