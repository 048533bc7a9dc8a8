import { microsecondsPattern } from '../rules/shapes.ts'
import type { Exchange } from '../runner/client.ts'
import { equal, listIn, metadataIn, type ReceivedRecord } from '../runner/replies.ts'
import { retryUnstable } from '../runner/retry-unstable.ts'
import type { RunContext } from '../runner/run-context.ts'
import { readWhole, type WholeList } from '../runner/whole-list.ts'
import { lacking } from './missing-preconditions.ts'

const path = '/api/oauth_access_tokens'
const plural = 'oauth_access_tokens'

/** The tokens by which the list may show a session, decoded or raw; undefined where one is unknown. */
export interface ListedSessions {
  readonly current: readonly (string | undefined)[]
  readonly earlier: readonly (string | undefined)[]
}

/** Reads the token list, whole and in pages, of a user who has just signed in. */
export async function judgeTokenList(
  context: RunContext,
  { current, earlier }: ListedSessions,
): Promise<void> {
  const get = (asked: string) => context.get(asked)
  // Others sign in as the same user, and tokens expire: what is held against another reply was there before and after it.
  const before = await readWhole(get, path, plural)
  const everything = await readWhole(get, `${path}?show_all=1`, plural)
  const active = before?.first ?? (await context.get(path))
  const tokens = before?.records ?? []
  const metadata = metadataIn(active)
  context.check('tokens/envelope', tokens.length > 0 && metadata !== undefined, active)
  context.check(
    'list-metadata/tokens',
    Number.isInteger(metadata?.count) && typeof metadata?.next === 'boolean',
    active,
    metadata,
  )
  context.check('tokens/own-only', new Set(tokens.map(({ user_id }) => user_id)).size === 1, active)
  const lists = (session: readonly unknown[]) =>
    tokens.some(({ token }) => token !== undefined && session.includes(token))
  const isListed = lists(current)
  // In which form the list shows a token is not specified: one of another session shows that it is a known one.
  const isKnownForm = isListed || lists(earlier) || tokens.length === 0
  if (!isKnownForm)
    context.verdicts.notReached(
      ['tokens/current'],
      'The token list shows tokens in a form that sessions do not return.',
      'need',
    )
  else if (isListed || before?.isWhole !== false)
    context.check('tokens/current', isListed, active, 'the token of the session is missing')
  else
    context.verdicts.notReached(
      ['tokens/current'],
      'The token list has further pages; judge a user with fewer tokens.',
      'need',
    )
  context.observe('oauth-token', tokens[0], active)
  const isLong = tokens.every(({ expires }) => microsecondsPattern.test(String(expires)))
  context.check('timestamps/tokens', isLong, active, tokens[0]?.expires)
  await judgeActive(context, active, tokens)

  const all = everything?.first ?? active
  const more = everything?.records ?? []
  await judgeAll(context, { active, tokens, all, more, isWhole: everything?.isWhole !== false })
  const one = await context.get(`${path}?_limit=1&show_all=1`)
  const shown = listIn(one, plural)
  context.check('limits/limit-tokens', shown !== undefined && shown.length <= 1, one)
  await judgeOffset(context)
}

/** Holds the list to showing nothing that has expired by the target's own clock. */
async function judgeActive(
  context: RunContext,
  active: Exchange,
  tokens: readonly ReceivedRecord[],
): Promise<void> {
  const { expiredToken } = context.provided
  const check = (wrong: readonly ReceivedRecord[]) =>
    context.check(
      'tokens/active-only',
      wrong.length === 0,
      active,
      wrong.map(({ expires }) => expires),
      { described: 'no token that has expired' },
    )
  const known = tokens.filter(({ token }) => token === expiredToken)
  const past = tokens.filter(({ expires }) => timeOf(expires) < nowOf(active))
  if (known.length > 0 || past.length === 0) return check(known)
  // The clock by which they have expired may not be the target's: whatever it has stamped is in its past.
  const latest = latestIn(await context.get('/api/pipelines'))
  const expired = past.filter(({ expires }) => timeOf(expires) < latest)
  if (expired.length > 0) return check(expired)
  context.verdicts.notReached(
    ['tokens/active-only'],
    'The clock of the target may be another than this one; pass --need expired-token=TOKEN if the user has one.',
    'need',
  )
}

interface Lists {
  readonly active: Exchange
  readonly tokens: readonly ReceivedRecord[]
  readonly all: Exchange
  readonly more: readonly ReceivedRecord[]
  readonly isWhole: boolean
}

/** Holds the list with `show_all=1` against the one without. */
async function judgeAll(context: RunContext, { active, tokens, all, more, isWhole }: Lists): Promise<void> {
  const isMissing = ({ token }: ReceivedRecord) => !more.some((candidate) => candidate.token === token)
  let missing = tokens.filter(isMissing)
  if (missing.length > 0) {
    const get = (asked: string) => context.get(asked)
    const again = await readWhole(get, `${path}?show_all=1`, plural)
    const after = await readWhole(get, path, plural)
    const isIn = (list: WholeList | undefined, wanted: ReceivedRecord) =>
      list?.records.some(({ token }) => token === wanted.token) === true
    missing = missing.filter((one) => !isIn(again, one) && isIn(after, one))
  }
  const long = 'The token list has further pages; judge a user with fewer tokens.'
  if (missing.length === 0 || isWhole)
    context.check('tokens/show-all-keeps-active', tokens.length > 0 && missing.length === 0, all)
  else context.verdicts.notReached(['tokens/show-all-keeps-active'], long, 'need')

  const { expiredToken, otherToken } = context.provided
  const isExpired = ({ token, expires }: ReceivedRecord) =>
    expiredToken === undefined ? timeOf(expires) < nowOf(active) : token === expiredToken
  const isShown = more.some(isExpired)
  // Without the owner's word that there is one, its absence says nothing.
  if (isShown || (expiredToken !== undefined && isWhole))
    context.check('tokens/show-all', isShown, all, 'no expired token is listed')
  else
    context.verdicts.notReached(
      ['tokens/show-all'],
      expiredToken === undefined
        ? 'No expired token is shown; pass --need expired-token=TOKEN if the user has one.'
        : long,
      'need',
    )

  if (otherToken === undefined) {
    context.verdicts.notReached(['tokens/not-others'], lacking['other-user'](), 'need')
    return
  }
  context.check(
    'tokens/not-others',
    more.every(({ token }) => token !== otherToken),
    all,
    "another user's token is listed",
  )
}

async function judgeOffset(context: RunContext): Promise<void> {
  const tokensOf = (records: readonly ReceivedRecord[] | undefined) =>
    (records ?? []).map(({ token }) => token)
  const found = await retryUnstable(
    async () =>
      tokensOf((await readWhole((asked) => context.get(asked), `${path}?show_all=1`, plural))?.records),
    () => context.get(`${path}?_offset=1&show_all=1`),
    (tokens) => tokens,
  )
  if (found === undefined) {
    const missing = 'The token list changed at every look; judge it when fewer clients sign in as this user.'
    context.verdicts.notReached(['limits/offset-tokens'], missing, 'need')
    return
  }
  const rest = tokensOf(listIn(found.asked, plural))
  const expected = found.seen.slice(1)
  // A page may be short where nobody says how long it is to be, and says so.
  const isShort = metadataIn(found.asked)?.next === true && rest.length > 0
  const isShifted = equal(rest, isShort ? expected.slice(0, rest.length) : expected)
  context.check('limits/offset-tokens', isShifted, found.asked, rest.length, {
    described: `the ${found.seen.length} tokens of the list without the first`,
  })
}

/** A time in milliseconds, however the target writes it; never, where it is none. */
function timeOf(value: unknown): number {
  const text = String(value).replace(' ', 'T')
  const time = Date.parse(/[zZ]|[+-]\d\d:?\d\d$/.test(text) ? text : `${text}Z`)
  return Number.isNaN(time) ? Number.POSITIVE_INFINITY : time
}

/** The latest time that the target has stamped on what it shows in a list of pipelines. */
function latestIn(list: Exchange): number {
  const timestamps = (listIn(list, 'pipelines') ?? []).map(({ updated_at }) => timeOf(updated_at))
  return Math.max(Number.NEGATIVE_INFINITY, ...timestamps.filter(Number.isFinite))
}

/** The target's now, as its reply says it; without that ours, a day earlier: clocks differ. */
function nowOf({ date }: Exchange): number {
  return date === undefined ? Date.now() - 86_400_000 : date.getTime() - 1_000
}
