import type { RuleId } from '../rules/index.ts'
import { isError, listIn, rawTokenIn } from '../runner/replies.ts'
import type { RunContext } from '../runner/run-context.ts'
import { findEncoding, sessionHeaders } from '../runner/session.ts'
import { triedEncodings, withOtherCharacter } from '../runner/token-encodings.ts'
import { lacking } from './missing-preconditions.ts'
import { judgeTokenList, type ListedSessions } from './token-list-checks.ts'

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
export async function checkCredentials(context: RunContext): Promise<void> {
  await judgeKeys(context)
  const sessions = await checkSignIn(context)
  if (sessions !== undefined) await judgeTokenList(context, sessions)
}

async function judgeKeys(context: RunContext): Promise<void> {
  const { apiKey } = context.client.credentials
  if (!context.provided.checksKeys || apiKey === undefined) {
    const rules: readonly RuleId[] = [...keyRules, 'errors/http-200-credentials']
    context.verdicts.notReached(rules, lacking['api-key'](), 'need')
    return
  }
  // An earlier sign-in may have ended the session: this request opens another one.
  await context.get('/api/pipelines')
  const tokenOnly = sessionHeaders(context.client.credentials)
  const ask = (path: string, headers: Readonly<Record<string, string>>) =>
    context.get(path, { credentials: false, headers: { ...tokenOnly, ...headers } })
  const inQuery = await ask(`/api/pipelines?api_key=${encodeURIComponent(apiKey)}`, {})
  context.check('authentication/key-in-query', listIn(inQuery, 'pipelines') !== undefined, inQuery)
  const inHeader = await ask('/api/pipelines', { 'X-API-KEY': apiKey })
  context.check('authentication/key-in-header', listIn(inHeader, 'pipelines') !== undefined, inHeader)
  // A sign-in that is refused for its user proves that the key was accepted, and writes nothing.
  const inBody = await context.post(
    '/api/sessions',
    { session: { email: `${context.prefix}@example.com`, password: 'no such user' }, api_key: apiKey },
    { credentials: false },
  )
  context.check('authentication/key-in-body', inBody.error?.type === 'record_not_found', inBody)
  const without = await ask('/api/pipelines', {})
  context.check('authentication/key-needed', isError(without), without)
  context.compare('errors/http-200-credentials', 200, without.httpStatus, without)
  const wrong = await ask('/api/pipelines', {
    'X-API-KEY': withOtherCharacter(apiKey, Math.floor(apiKey.length / 2)),
  })
  context.check('authentication/wrong-key', isError(wrong), wrong)
}

/** Words for an invalid value; the specification gives the meaning, not the text. */
const saysInvalid =
  /invalid|incorrect|wrong|bad|unknown|not (?:valid|correct|match|recogni[sz]ed|found)|fail|no such/i

/** Signs in wrongly and rightly, and presents the token; returns the tokens by which the list may show this session and the one before. */
async function checkSignIn(context: RunContext): Promise<ListedSessions | undefined> {
  const { email, password, checksTokens } = context.provided
  const tokenRules: readonly RuleId[] = ['authentication/token-needed', 'authentication/wrong-token']
  if (!checksTokens) {
    context.verdicts.notReached(tokenRules, lacking.login(), 'need')
  }
  if (email === undefined || password === undefined) {
    context.verdicts.notReached([...signInRules, ...tokenRules], lacking['sign-in'](), 'need')
    return undefined
  }
  const post = (session: object) => context.post('/api/sessions', { session }, { credentials: 'key' })
  const failed = await post({ email, password: `not-${password}` })
  context.compare('errors/sign-in-code', 404, failed.error?.code, failed)
  context.compare('errors/sign-in-type', 'record_not_found', failed.error?.type, failed)
  const message = String(failed.error?.message)
  context.check(
    'errors/sign-in-message',
    saysInvalid.test(message) && /password|credential|log.?in/i.test(message),
    failed,
    message,
  )
  context.compare('errors/http-200-sign-in', 200, failed.httpStatus, failed)

  const opened = await post({ email, password })
  const raw = rawTokenIn(opened)
  context.check('authentication/session-token', raw !== undefined, opened)
  if (raw === undefined) {
    const missing = 'The reply to the sign-in carries no key `token`.'
    context.verdicts.notReached([...signInRules, ...tokenRules], missing, 'replies')
    return undefined
  }
  const { client } = context
  const before = client.credentials
  const encoding = before.encoding ?? (checksTokens ? undefined : await findEncoding(client, raw))
  const token = encoding?.decode(raw)
  client.credentials = { ...before, raw, token, encoding, ...(token === undefined && { tokenIn: 'cookie' }) }
  const ask = (headers: Readonly<Record<string, string>>) =>
    context.get('/api/pipelines', { credentials: 'key', headers })
  const byCookie = await ask({ Cookie: `oauth_token=${raw}` })
  context.check('authentication/raw-token-cookie', listIn(byCookie, 'pipelines') !== undefined, byCookie)
  if (checksTokens) context.checkRefused('authentication/token-needed', await ask({}))
  if (token === undefined) {
    const missing = `The target accepts no token that a known decoding (${triedEncodings}) finds in the raw token, and the specification does not show the algorithm; the raw token is sent in the cookie.`
    context.verdicts.notReached(
      ['authentication/decoded-token-header', 'authentication/wrong-token'],
      missing,
      'need',
    )
  } else {
    const byHeader = await ask({ 'OAUTH-TOKEN': token })
    const isAccepted = listIn(byHeader, 'pipelines') !== undefined
    context.check('authentication/decoded-token-header', isAccepted, byHeader)
    const wrong = withOtherCharacter(token, Math.floor(token.length / 2))
    if (checksTokens) context.checkRefused('authentication/wrong-token', await ask({ 'OAUTH-TOKEN': wrong }))
  }
  return { current: [token, raw], earlier: [before.token, before.raw] }
}
