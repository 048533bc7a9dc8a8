// Command of sequences that sends the API key in every documented place.
import type { RuleId } from '../rules/index.ts'
import type { Exchange } from '../runner/read-exchange.ts'
import { equal, type ReceivedRecord } from '../runner/replies.ts'
import { sessionHeaders } from '../runner/session.ts'
import { withOtherCharacter } from '../runner/token-encodings.ts'
import { errorOf, isSuccess, type SequenceRun, unless, unlessRefused, unlessSuccess } from './sequence-run.ts'

/** A request for the list of pipelines with the API key in one place, or without it. */
interface KeyRequest {
  readonly rule: RuleId
  readonly query?: string
  readonly headers?: Readonly<Record<string, string>>
  readonly isRefused?: boolean
}

/** Sends the API key in every documented place, a wrong one, and none. */
export async function presentKey(sequence: SequenceRun): Promise<void> {
  const { client, provided } = sequence.context
  const { apiKey } = client.credentials
  if (!provided.checksKeys || apiKey === undefined) return
  // An earlier sign-in may have ended the session: this request opens another one.
  await sequence.context.get('/api/pipelines')
  const session = sessionHeaders(client.credentials)
  const wrongKey = withOtherCharacter(apiKey, Math.floor(apiKey.length / 2))
  const requests: readonly KeyRequest[] = [
    { rule: 'authentication/key-in-query', query: `?api_key=${encodeURIComponent(apiKey)}` },
    { rule: 'authentication/key-in-header', headers: { 'X-API-KEY': apiKey } },
    { rule: 'authentication/key-needed', isRefused: true },
    { rule: 'authentication/wrong-key', headers: { 'X-API-KEY': wrongKey }, isRefused: true },
  ]
  for (const { rule, query = '', headers, isRefused = false } of requests) {
    const exchange = await sequence.context.get(`/api/pipelines${query}`, {
      credentials: false,
      headers: { ...session, ...headers },
    })
    sequence.note(rule, exchange, isRefused ? unlessRefused(exchange) : unlessSuccess(exchange))
  }
  // A sign-in that fails because of its user shows that the target accepts the key. It writes nothing.
  const user = { email: `${sequence.context.prefix}@example.com`, password: 'no such user' }
  const open = (body: ReceivedRecord, credentials: false | 'key') =>
    sequence.context.post('/api/sessions', { session: user, ...body }, { credentials })
  const inBody = await open({ api_key: apiKey }, false)
  const isOfUser = inBody.error?.type === 'record_not_found'
  // The path of sessions is not specified: a target without it answers with one error wherever the key is.
  const isSame = isOfUser || isSameError(inBody, await open({}, 'key'))
  const received = isSuccess(inBody) ? inBody.body : errorOf(inBody)
  const flaw = unless(isSame, received, 'an error: the login name or password is invalid')
  sequence.note('authentication/key-in-body', inBody, flaw)
}

function isSameError({ error: one }: Exchange, { error: other }: Exchange): boolean {
  return one !== undefined && equal([one.code, one.type], [other?.code, other?.type])
}
