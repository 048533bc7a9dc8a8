import type { Exchange } from '../judge/client.ts'
import { decodedToken } from '../judge/decoded-token.ts'
import { equal, isError, listIn, metadataIn, type Received, recordIn } from '../judge/replies.ts'
import type { Stage } from '../judge/stage.ts'
import type { RuleId } from '../rules/index.ts'
import { microsecondsPattern } from '../rules/shapes.ts'
import type { Scenario } from './define-scenario.ts'

const keyRules: readonly RuleId[] = [
  'authentication/key-in-query',
  'authentication/key-in-body',
  'authentication/key-in-header',
  'authentication/key-needed',
  'authentication/wrong-key',
]
const signInRules: readonly RuleId[] = [
  'authentication/session-token', 'authentication/raw-token-cookie', 'authentication/decoded-token-header',
  'errors/sign-in-code', 'errors/sign-in-type', 'errors/sign-in-message', 'errors/http-200-sign-in',
  'tokens/envelope', 'tokens/own-only', 'tokens/not-others', 'tokens/active-only', 'tokens/show-all',
  'tokens/show-all-keeps-active', 'tokens/current', 'list-metadata/tokens', 'limits/limit-tokens',
  'limits/offset-tokens', 'timestamps/tokens', 'oauth-token-fields/token', 'oauth-token-fields/expires',
  'oauth-token-fields/user_id',
] // biome-ignore format: a list of ids

/** Presents keys and tokens in every documented way, and reads the token list. */
export const credentials: Scenario = {
  name: 'credentials',
  makes: 'a session or two (tokens stay until they expire)',
  effects: 'reads',
  covers: [
    'authentication',
    'errors',
    'tokens',
    'oauth-token-fields',
    'timestamps',
    'list-metadata',
    'limits',
  ],
  async run(stage) {
    await judgeKeys(stage)
    const decoded = await judgeSignIn(stage)
    if (decoded !== undefined) await judgeTokens(stage, decoded)
  },
}

async function judgeKeys(stage: Stage): Promise<void> {
  const { apiKey, token } = stage.client.credentials
  if (!stage.provided.checksKeys || apiKey === undefined) {
    const missing = 'An API key is needed, and a target that checks it; pass --api-key.'
    stage.verdicts.notReached([...keyRules, 'errors/http-200-credentials'], missing)
    return
  }
  const tokenOnly: Record<string, string> = token === undefined ? {} : { 'OAUTH-TOKEN': token }
  const ask = (path: string, headers: Readonly<Record<string, string>>) =>
    stage.get(path, { credentials: false, headers: { ...tokenOnly, ...headers } })
  const inQuery = await ask(`/api/pipelines?api_key=${encodeURIComponent(apiKey)}`, {})
  stage.check('authentication/key-in-query', listIn(inQuery, 'pipelines') !== undefined, inQuery)
  const inHeader = await ask('/api/pipelines', { 'X-API-KEY': apiKey })
  stage.check('authentication/key-in-header', listIn(inHeader, 'pipelines') !== undefined, inHeader)
  // A record that is refused for its type proves that the key was accepted, and writes nothing.
  const inBody = await stage.post(
    '/api/sessions',
    { session: { email: `${stage.prefix}@example.com`, password: 'no such user' }, api_key: apiKey },
    { credentials: false },
  )
  stage.check('authentication/key-in-body', inBody.error?.type === 'record_not_found', inBody)
  const without = await ask('/api/pipelines', {})
  stage.check('authentication/key-needed', isError(without), without)
  stage.compare('errors/http-200-credentials', 200, without.httpStatus, without)
  const wrong = await ask('/api/pipelines', { 'X-API-KEY': `not-${apiKey}` })
  stage.check('authentication/wrong-key', isError(wrong), wrong)
}

async function judgeSignIn(stage: Stage): Promise<string | undefined> {
  const { email, password, checksTokens } = stage.provided
  const tokenRules: readonly RuleId[] = ['authentication/token-needed', 'authentication/wrong-token']
  if (!checksTokens) {
    stage.verdicts.notReached(
      tokenRules,
      'The target checks no OAuth token; start it with REQUIRE_USER_AUTHENTICATION=1.',
    )
  }
  if (email === undefined || password === undefined) {
    stage.verdicts.notReached(
      [...signInRules, ...tokenRules],
      'A user is needed; pass --email and --password.',
    )
    return undefined
  }
  const post = (session: object) => stage.post('/api/sessions', { session }, { credentials: 'key' })
  const failed = await post({ email, password: `not-${password}` })
  stage.compare('errors/sign-in-code', 404, failed.error?.code, failed)
  stage.compare('errors/sign-in-type', 'record_not_found', failed.error?.type, failed)
  const message = String(failed.error?.message)
  stage.check(
    'errors/sign-in-message',
    /invalid/i.test(message) && /password/i.test(message),
    failed,
    message,
  )
  stage.compare('errors/http-200-sign-in', 200, failed.httpStatus, failed)

  const opened = await post({ email, password })
  const raw = recordIn(opened, 'session')?.token
  stage.check('authentication/session-token', typeof raw === 'string', opened)
  if (typeof raw !== 'string') {
    stage.verdicts.notReached(signInRules, 'No session could be opened; check --email and --password.')
    return undefined
  }
  const decoded = decodedToken(raw)
  stage.client.credentials = { ...stage.client.credentials, token: decoded }
  const ask = (headers: Readonly<Record<string, string>>) =>
    stage.get('/api/pipelines', { credentials: 'key', headers })
  const byCookie = await ask({ Cookie: `oauth_token=${raw}` })
  stage.check('authentication/raw-token-cookie', listIn(byCookie, 'pipelines') !== undefined, byCookie)
  const byHeader = await ask({ 'OAUTH-TOKEN': decoded })
  stage.check('authentication/decoded-token-header', listIn(byHeader, 'pipelines') !== undefined, byHeader)
  if (checksTokens) {
    stage.checkRefused('authentication/token-needed', await ask({}))
    stage.checkRefused('authentication/wrong-token', await ask({ 'OAUTH-TOKEN': `not-${decoded}` }))
  }
  return decoded
}

async function judgeTokens(stage: Stage, current: string): Promise<void> {
  const path = '/api/oauth_access_tokens'
  const active = await stage.get(path)
  const tokens = listIn(active, 'oauth_access_tokens') ?? []
  const metadata = metadataIn(active)
  stage.check('tokens/envelope', tokens.length > 0 && metadata !== undefined, active)
  stage.check(
    'list-metadata/tokens',
    Number.isInteger(metadata?.count) && typeof metadata?.next === 'boolean',
    active,
    metadata,
  )
  stage.check('tokens/own-only', new Set(tokens.map(({ user_id }) => user_id)).size === 1, active)
  const isListed = tokens.some(({ token }) => token === current)
  // A list that goes on may show it further down.
  if (isListed || metadata?.next !== true)
    stage.check('tokens/current', isListed, active, 'the token of the session is missing')
  else
    stage.verdicts.notReached(
      ['tokens/current'],
      'The token list has further pages; judge a user with fewer tokens.',
    )
  stage.observe('oauth-token', tokens[0], active)
  const isLong = tokens.every(({ expires }) => microsecondsPattern.test(String(expires)))
  stage.check('timestamps/tokens', isLong, active, tokens[0]?.expires)
  const isPast = ({ expires }: Received) => expiryOf(expires) < nowOf(active)
  const hasJustBegun = ({ token }: Received) => token === current
  // The token of a session that has just begun is active: the clock by which it has expired is not the target's.
  if (tokens.some((token) => hasJustBegun(token) && isPast(token)))
    stage.verdicts.notReached(['tokens/active-only'], 'The clock of the target is years away from this one.')
  else
    stage.check(
      'tokens/active-only',
      !tokens.some(isPast),
      active,
      tokens.filter(isPast).map(({ expires }) => expires),
      { described: `no token that expired before ${new Date(nowOf(active)).toISOString()}` },
    )

  const all = await stage.get(`${path}?show_all=1`)
  const more = listIn(all, 'oauth_access_tokens') ?? []
  const keeps = tokens.every(({ token }) => more.some((candidate) => candidate.token === token))
  stage.check('tokens/show-all-keeps-active', tokens.length > 0 && keeps, all)
  const { expiredToken, otherToken } = stage.provided
  const isExpired = ({ token, expires }: Received) =>
    expiredToken === undefined ? expiryOf(expires) < nowOf(all) : token === expiredToken
  // Without the owner's word that there is one, its absence says nothing.
  if (more.some(isExpired) || expiredToken !== undefined)
    stage.check('tokens/show-all', more.some(isExpired), all, 'no expired token is listed')
  else
    stage.verdicts.notReached(
      ['tokens/show-all'],
      'No expired token is shown; pass --need expired-token=TOKEN if the user has one.',
    )

  if (otherToken === undefined) {
    stage.verdicts.notReached(
      ['tokens/not-others'],
      "Another user's token is needed; pass --need other-token=TOKEN.",
    )
  } else {
    stage.check(
      'tokens/not-others',
      more.every(({ token }) => token !== otherToken),
      all,
      "another user's token is listed",
    )
  }
  const one = await stage.get(`${path}?_limit=1&show_all=1`)
  stage.check('limits/limit-tokens', listIn(one, 'oauth_access_tokens')?.length === 1, one)
  await judgeOffset(stage, path)
}

/** Others sign in meanwhile: the list is read before and after, and judged when it has not changed. */
async function judgeOffset(stage: Stage, path: string): Promise<void> {
  const read = async (query: string) => {
    const reply = await stage.get(`${path}?${query}show_all=1`)
    return { reply, tokens: (listIn(reply, 'oauth_access_tokens') ?? []).map(({ token }) => token) }
  }
  for (let attempt = 0; attempt < mostReads; attempt++) {
    const before = await read('')
    const rest = await read('_offset=1&')
    const after = await read('')
    if (!equal(before.tokens, after.tokens)) continue
    // A page that is full says nothing of what follows it.
    const isWhole = metadataIn(before.reply)?.next !== true
    const isShifted = isWhole
      ? equal(rest.tokens, before.tokens.slice(1))
      : equal(rest.tokens.slice(0, before.tokens.length - 1), before.tokens.slice(1))
    stage.check('limits/offset-tokens', isShifted, rest.reply, rest.tokens.length, {
      described: `the ${before.tokens.length} tokens of the list without the first`,
    })
    return
  }
  const missing = 'The token list changed at every look; judge it when fewer clients sign in as this user.'
  stage.verdicts.notReached(['limits/offset-tokens'], missing)
}

/** How often a list is read that others change. */
const mostReads = 8

/** When a token expires, in milliseconds, however the target writes it; never, where that is no moment. */
function expiryOf(value: unknown): number {
  const text = String(value).replace(' ', 'T')
  const moment = Date.parse(/[zZ]|[+-]\d\d:?\d\d$/.test(text) ? text : `${text}Z`)
  return Number.isNaN(moment) ? Number.POSITIVE_INFINITY : moment
}

/** The target's now, as its reply says it; without that ours, a day earlier: clocks differ. */
function nowOf({ date }: Exchange): number {
  return date === undefined ? Date.now() - 86_400_000 : date.getTime() - 1_000
}
