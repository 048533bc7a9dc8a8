// Commands of sequences that read the list of OAuth tokens, and check it.
import type { RuleId } from '../rules/index.ts'
import type { Exchange } from '../runner/client.ts'
import { listIn, type ReceivedRecord } from '../runner/replies.ts'
import { pageThrough } from './pages.ts'
import { type SequenceRun, unless } from './sequence-run.ts'

const path = '/api/oauth_access_tokens'

/** Reads the tokens of the user in pages of every kind, the active ones and all, and compares the two lists. */
export async function pageTokens(sequence: SequenceRun): Promise<void> {
  // Without a session there is no user with a list of tokens.
  const { token, raw } = sequence.context.client.credentials
  if ((token ?? raw) === undefined) return
  const { expiredToken, otherToken } = sequence.context.provided
  const list = { operation: 'listOauthAccessTokens', plural: 'oauth_access_tokens', key: 'token' } as const
  const atOnce = await Promise.all([
    sequence.get(path),
    sequence.get(path),
    sequence.get(`${path}?show_all=1`),
  ])
  const active = await pageThrough(sequence, { ...list, path })
  const all = await pageThrough(sequence, { ...list, path: `${path}?show_all=1` })
  if (active === undefined || all === undefined) {
    const rules = ['tokens/active-only', 'tokens/show-all', 'tokens/show-all-keeps-active'] as const
    const missing = 'The token list has too many pages; verify as a user with fewer tokens.'
    sequence.context.verdicts.notReached(rules, missing, 'need')
    return
  }
  const noteFilter = (rule: RuleId, exchange: Exchange, isAsExpected: boolean, received: string) => {
    const flaw = unless(isAsExpected, received, expectations[rule])
    sequence.note(['list-oauth-access-tokens/filter', rule], exchange, flaw)
  }
  const users = new Set(active.records.map((record) => record.user_id))
  noteFilter('tokens/own-only', active.exchange, users.size <= 1, 'tokens of several users')
  const absent = active.ids.filter((id) => !all.ids.includes(id))
  // Another client may have ended a session meanwhile.
  const after = absent.length > 0 ? await sequence.get(path) : active.exchange
  const isMissing = absent.some((id) => shows(id)(after))
  noteFilter('tokens/show-all-keeps-active', all.exchange, !isMissing, 'an active token is missing')
  if (otherToken !== undefined) {
    const isShown = [all.exchange, active.exchange, ...atOnce].some(shows(otherToken))
    noteFilter('tokens/not-others', all.exchange, !isShown, "another user's token")
  }
  const isExpired = (record: ReceivedRecord) => timeOf(record.expires) < nowOf(active.exchange)
  if (expiredToken !== undefined) {
    const isStale = [active.exchange, ...atOnce.slice(0, 2)].some(shows(expiredToken))
    noteFilter('tokens/active-only', active.exchange, !isStale, 'an expired token')
    // A list may show tokens in a form that no session returns, such as masked.
    const isKnownForm = [token, raw].some((own) => own !== undefined && all.ids.includes(own))
    const isThere = all.ids.includes(expiredToken) || (!isKnownForm && all.records.some(isExpired))
    noteFilter('tokens/show-all', all.exchange, isThere, 'no expired token')
  } else if (all.records.some(isExpired)) sequence.note('tokens/show-all', all.exchange)
  await checkActive(sequence, active.exchange, active.records.filter(isExpired))
}

/** The expectation of each rule about the selection of tokens. */
const expectations: Partial<Record<RuleId, string>> = {
  'tokens/own-only': 'the tokens of one user',
  'tokens/show-all-keeps-active': 'active and expired tokens',
  'tokens/not-others': 'the tokens of the current user',
  'tokens/active-only': 'active tokens only',
  'tokens/show-all': 'active and expired tokens',
}

/** Checks that no token in the list of active ones has expired by the clock of the target. */
async function checkActive(
  sequence: SequenceRun,
  active: Exchange,
  expired: readonly ReceivedRecord[],
): Promise<void> {
  if (expired.length === 0) return sequence.note('tokens/active-only', active)
  // Our clock may differ from the target's. Every timestamp that the target has written is in its past.
  const pipelines = listIn(await sequence.get('/api/pipelines'), 'pipelines') ?? []
  const latest = Math.max(...pipelines.map((record) => timeOf(record.updated_at)).filter(Number.isFinite))
  const received = expired.map(({ expires }) => expires).filter((expires) => timeOf(expires) < latest)
  if (received.length > 0) {
    const flaw = { received: { expires: received[0] }, expected: 'no token that has expired' }
    sequence.note('tokens/active-only', active, flaw)
  } else {
    const missing =
      'The clock of the target may differ from this one; pass --need expired-token=TOKEN if the user has one.'
    sequence.context.verdicts.notReached(['tokens/active-only'], missing, 'need')
  }
}

const shows = (token: string) => (exchange: Exchange) =>
  listIn(exchange, 'oauth_access_tokens')?.some((record) => record.token === token) === true

/** Returns the milliseconds of a timestamp in any form; infinity if there is none. */
function timeOf(value: unknown): number {
  const text = String(value).replace(' ', 'T')
  const time = Date.parse(/[zZ]|[+-]\d\d:?\d\d$/.test(text) ? text : `${text}Z`)
  return Number.isNaN(time) ? Number.POSITIVE_INFINITY : time
}

/** Returns the time of the target according to its reply, otherwise our time a day earlier, since clocks differ. */
function nowOf({ date }: Exchange): number {
  return date === undefined ? Date.now() - 86_400_000 : date.getTime() - 1_000
}
