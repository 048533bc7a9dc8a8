import type { Statement } from '../../../rules/document.ts'
import type { OperationId } from '../../../rules/operation-id.ts'
import { fittingGuards, type Guard, type GuardName } from '../guards.ts'
import {
  asked,
  bodyWith,
  documentedOperations,
  facts,
  mapRecords,
  named,
  type Operator,
  refusal,
  type Strike,
  sentence,
  sentRecord,
} from '../mutant.ts'
import { type Heard, isErrorReply, isJson } from '../wrong-server.ts'

/** The credentials that the good server takes, for servers that do not look at those they are sent. */
export const goodCredentials = { apiKey: 'contract-key', token: 'judge-active-token' } as const

const needing: readonly OperationId[] = documentedOperations.filter((operation) =>
  facts(operation).needs.credentials.includes('api-key'),
)
const needingToken: readonly OperationId[] = documentedOperations.filter((operation) =>
  facts(operation).needs.credentials.includes('oauth-token'),
)

const keySentence = sentence('Authentication', 'An API key, `<API_KEY>`')
const tokenSentence = sentence('Authentication', 'Sessions are required only')
const cookie = sentence('Authentication', 'oauth_token=<RAW_TOKEN>')
const decoded = sentence('Authentication', '<DECODED_TOKEN>')
const currentUser = sentence('Authentication', "only the current user's tokens")
const active = sentence('Read OAuth tokens', '`show_all`')
const failed = sentence('Errors', 'A failed session authentication')
const session = sentence('Session', 'created to obtain an OAuth token')

/** Where a request has its API key, and what it says there. */
function keyOf({ headers, query, body }: Heard): {
  readonly at: 'header' | 'query' | 'body' | 'nowhere'
  readonly key: string
} {
  const header = headers.get('x-api-key')
  if (header !== null) return { at: 'header', key: header }
  const inQuery = query.get('api_key')
  if (inQuery !== null) return { at: 'query', key: inQuery }
  const inBody = isJson(body) ? body.api_key : undefined
  return inBody === undefined ? { at: 'nowhere', key: '' } : { at: 'body', key: String(inBody) }
}

/** Where a request has its OAuth token, and what it says there. */
function tokenOf({ headers }: Heard): {
  readonly at: 'header' | 'cookie' | 'bearer' | 'nowhere'
  readonly token: string
} {
  const header = headers.get('oauth-token')
  if (header !== null) return { at: 'header', token: header }
  const bearer = headers.get('authorization')
  if (bearer !== null) return { at: 'bearer', token: bearer.replace(/^Bearer /i, '') }
  const inCookie = /oauth_token=([^;]*)/.exec(headers.get('cookie') ?? '')?.[1]
  return inCookie === undefined ? { at: 'nowhere', token: '' } : { at: 'cookie', token: inCookie }
}

function withHeaders({ headers }: Heard, changes: Readonly<Record<string, string>>): Headers {
  const changed = new Headers(headers)
  for (const [name, value] of Object.entries(changes)) changed.set(name, value)
  return changed
}

const few: readonly GuardName[] = [
  'always',
  'fromTheSecond',
  'afterAnError',
  'laterPage',
  'filtered',
  'forced',
  'keyInQuery',
  'tokenInCookie',
]
const fitting = (operation: OperationId): Guard[] =>
  named(...few).filter((guard) => guard.fits(facts(operation), undefined))

/** Lets requests pass whose credential is wrong. */
function passes(
  operations: readonly OperationId[],
  aspect: string,
  stated: Statement,
  isTaken: (heard: Heard) => boolean,
  instead: Readonly<Record<string, string>>,
): Strike[] {
  return operations.map((operation) => ({
    operation,
    aspect,
    sentence: stated,
    guards: fitting(operation),
    seenBy: documentedOperations,
    wrong: (holds) => () => (heard, ask) =>
      heard.operation === operation && isTaken(heard) && holds(asked(heard))
        ? ask({ headers: withHeaders(heard, instead) })
        : ask(),
  }))
}

/** Refuses requests whose credential is right and stands in a documented place. */
function refusesAt(
  operations: readonly OperationId[],
  aspect: string,
  stated: Statement,
  isThere: (heard: Heard) => boolean,
): Strike[] {
  return operations.map((operation) => ({
    operation,
    aspect,
    sentence: stated,
    guards: named('always', 'fromTheSecond').filter((guard) => guard.fits(facts(operation), undefined)),
    seenBy: documentedOperations,
    wrong: (holds) => () => (heard, ask) =>
      heard.operation === operation && isThere(heard) && holds(asked(heard))
        ? refusal('Credentials are missing.', 401, 'unauthorized_access')
        : ask(),
  }))
}

const { apiKey, token } = goodCredentials
const keyInstead = { 'X-API-KEY': apiKey }
const tokenInstead = { 'OAUTH-TOKEN': token }
const isNear = (given: string, own: string) => given.length > 3 && given !== own

function onSession(
  aspect: string,
  isStruck: (sent: Readonly<Record<string, unknown>>) => Readonly<Record<string, unknown>> | undefined,
): Strike {
  return {
    operation: 'createSession',
    aspect,
    sentence: failed,
    guards: named('always', 'fromTheSecond', 'afterAnError'),
    wrong: (holds) => () => (heard, ask) => {
      const instead =
        heard.operation === 'createSession' && holds(asked(heard)) ? isStruck(sentRecord(heard)) : undefined
      return instead ? ask({ body: bodyWith(heard, instead) }) : ask()
    },
  }
}

const password = 'gavel-and-robe'
const email = 'judge@example.com'

/** What goes wrong with keys, tokens and sessions. */
export const credentialOperators: readonly Operator[] = [
  {
    name: 'key-not-checked',
    does: 'takes any API key, or none',
    strikes: passes(needing, 'api-key', keySentence, (heard) => keyOf(heard).key !== apiKey, keyInstead),
  },
  {
    name: 'key-absent-passes',
    does: 'takes a request without an API key',
    strikes: passes(needing, 'api-key', keySentence, (heard) => keyOf(heard).at === 'nowhere', keyInstead),
  },
  {
    name: 'key-any-passes',
    does: 'looks whether there is an API key, and not which',
    strikes: passes(
      needing,
      'api-key',
      keySentence,
      (heard) => keyOf(heard).key !== apiKey && keyOf(heard).key !== '',
      keyInstead,
    ),
  },
  {
    name: 'key-prefix-passes',
    does: 'takes the beginning of an API key',
    strikes: passes(
      needing,
      'api-key',
      keySentence,
      (heard) => isNear(keyOf(heard).key, apiKey) && apiKey.startsWith(keyOf(heard).key),
      keyInstead,
    ),
  },
  {
    name: 'key-longer-passes',
    does: 'takes an API key with something behind it',
    strikes: passes(
      needing,
      'api-key',
      keySentence,
      (heard) => isNear(keyOf(heard).key, apiKey) && keyOf(heard).key.startsWith(apiKey),
      keyInstead,
    ),
  },
  {
    name: 'key-other-case-passes',
    does: 'takes an API key in other letters',
    strikes: passes(
      needing,
      'api-key',
      keySentence,
      (heard) => isNear(keyOf(heard).key, apiKey) && keyOf(heard).key.toLowerCase() === apiKey,
      keyInstead,
    ),
  },
  {
    name: 'key-empty-passes',
    does: 'takes an empty API key',
    strikes: passes(
      needing,
      'api-key',
      keySentence,
      (heard) => keyOf(heard).at !== 'nowhere' && keyOf(heard).key === '',
      keyInstead,
    ),
  },
  {
    name: 'key-refused-in-query',
    does: 'does not look for the API key in the query',
    strikes: refusesAt(needing, 'api-key', keySentence, (heard) => keyOf(heard).at === 'query'),
  },
  {
    name: 'key-refused-in-body',
    does: 'does not look for the API key in the body',
    strikes: refusesAt(
      needing.filter((operation) => facts(operation).writes.length > 0),
      'api-key',
      keySentence,
      (heard) => keyOf(heard).at === 'body',
    ),
  },
  {
    name: 'token-not-checked',
    does: 'takes any OAuth token, or none',
    strikes: passes(
      needingToken,
      'token',
      tokenSentence,
      (heard) => tokenOf(heard).at === 'nowhere' || tokenOf(heard).token.startsWith('not-'),
      tokenInstead,
    ),
  },
  {
    name: 'token-absent-passes',
    does: 'takes a request without an OAuth token',
    strikes: passes(
      needingToken,
      'token',
      tokenSentence,
      (heard) => tokenOf(heard).at === 'nowhere',
      tokenInstead,
    ),
  },
  {
    name: 'token-any-passes',
    does: 'looks whether there is an OAuth token, and not which',
    strikes: needingToken.map(
      (operation): Strike => ({
        operation,
        aspect: 'token',
        sentence: tokenSentence,
        guards: fitting(operation),
        seenBy: documentedOperations,
        wrong: (holds) => () => async (heard, ask) => {
          const reply = await ask()
          const isRefused =
            heard.operation === operation &&
            tokenOf(heard).at !== 'nowhere' &&
            isErrorReply(reply) &&
            isJson(reply.body) &&
            isJson(reply.body.error) &&
            reply.body.error.code === 401
          return isRefused && holds(asked(heard)) ? ask({ headers: withHeaders(heard, tokenInstead) }) : reply
        },
      }),
    ),
  },
  {
    name: 'token-prefix-passes',
    does: 'takes the beginning of an OAuth token',
    strikes: passes(
      needingToken,
      'token',
      tokenSentence,
      (heard) => isNear(tokenOf(heard).token, token) && token.startsWith(tokenOf(heard).token),
      tokenInstead,
    ),
  },
  {
    name: 'token-refused-in-cookie',
    does: 'does not look for the raw token in the cookie',
    strikes: refusesAt(needingToken, 'token', cookie, (heard) => tokenOf(heard).at === 'cookie'),
  },
  {
    name: 'cookie-after-another-refused',
    does: 'looks only at the first cookie',
    strikes: refusesAt(needingToken, 'token', cookie, (heard) =>
      /;\s*oauth_token=/.test(heard.headers.get('cookie') ?? ''),
    ),
  },
  {
    name: 'raw-token-as-decoded',
    does: 'takes the raw token where the decoded one is said to stand, and not the decoded one',
    strikes: refusesAt(
      needingToken.slice(1),
      'token',
      decoded,
      (heard) => tokenOf(heard).at === 'header' && tokenOf(heard).token.split('.').length !== 3,
    ),
  },
  {
    name: 'password-read-otherwise',
    does: 'signs in with a password that is not the right one',
    strikes: [
      onSession('password-prefix', (sent) =>
        sent.email === email &&
        isNear(String(sent.password), password) &&
        password.startsWith(String(sent.password))
          ? { ...sent, password }
          : undefined,
      ),
      onSession('password-case', (sent) =>
        sent.email === email && String(sent.password).toLowerCase() === password && sent.password !== password
          ? { ...sent, password }
          : undefined,
      ),
      onSession('password-longer', (sent) =>
        sent.email === email &&
        String(sent.password).length > password.length &&
        String(sent.password).startsWith(password)
          ? { ...sent, password }
          : undefined,
      ),
      onSession('password-empty', (sent) =>
        sent.email === email && !sent.password ? { ...sent, password } : undefined,
      ),
      onSession('password-any', (sent) =>
        sent.email === email && sent.password !== password ? { ...sent, password } : undefined,
      ),
      onSession('email-unknown', (sent) => (sent.email !== email ? { ...sent, email, password } : undefined)),
    ],
  },
  {
    name: 'sign-in-fails-otherwise',
    does: 'reports a failed sign-in with another code or type',
    strikes: Object.entries({ code: 401, type: 'unauthorized', message: 'Failed.' }).flatMap(
      ([name, value]) =>
        (['always', 'fromTheSecond', 'afterAnError', 'onlyTheFirst'] as const).map((guard) => ({
          operation: 'createSession' as const,
          aspect: name,
          sentence: failed,
          guards: named(guard),
          wrong: (holds) => () => async (heard, ask) => {
            const reply = await ask()
            const error = isJson(reply.body) ? reply.body.error : undefined
            if (
              heard.operation !== 'createSession' ||
              !isJson(error) ||
              error.code !== 404 ||
              !holds(asked(heard))
            )
              return reply
            return { ...reply, body: { error: { ...error, [name]: value }, status: 200 } }
          },
        })),
    ),
  },
  {
    name: 'session-token-otherwise',
    does: 'gives a session token that cannot be used',
    strikes: [
      { aspect: 'token-null', value: null },
      { aspect: 'token-nested', value: { token } },
      { aspect: 'token-decoded', value: 'f00d' },
    ].map(({ aspect, value }) => ({
      operation: 'createSession' as const,
      aspect,
      sentence: session,
      guards: named('always', 'fromTheSecond', 'fromTheFourth', 'afterAnError'),
      seenBy: documentedOperations,
      wrong: (holds) => () => async (heard, ask) => {
        const reply = await ask()
        if (
          heard.operation !== 'createSession' ||
          !isJson(reply.body) ||
          isErrorReply(reply) ||
          !holds(asked(heard))
        )
          return reply
        return { ...reply, body: mapRecords(reply.body, heard, (opened) => ({ ...opened, token: value })) }
      },
    })),
  },
  {
    name: 'tokens-of-others',
    does: 'lists a token of another user',
    strikes: [
      {
        operation: 'listOauthAccessTokens',
        aspect: 'items',
        sentence: currentUser,
        guards: fittingGuards(facts('listOauthAccessTokens'), undefined, ['request']),
        wrong: (holds) => () => async (heard, ask) => {
          const reply = await ask()
          if (
            heard.operation !== 'listOauthAccessTokens' ||
            !isJson(reply.body) ||
            isErrorReply(reply) ||
            !holds(asked(heard))
          )
            return reply
          const other = await ask({
            path: '/api/oauth_access_tokens',
            headers: withHeaders(heard, { 'OAUTH-TOKEN': 'other-active-token' }),
          })
          const theirs =
            isJson(other.body) && Array.isArray(other.body.oauth_access_tokens)
              ? other.body.oauth_access_tokens
              : []
          const own = Array.isArray(reply.body.oauth_access_tokens) ? reply.body.oauth_access_tokens : []
          const limit = heard.query.get('_limit')
          return {
            ...reply,
            body: {
              ...reply.body,
              oauth_access_tokens: [...theirs.slice(0, 1), ...own].slice(
                0,
                limit === null ? undefined : Number(limit),
              ),
            },
          }
        },
      },
    ],
  },
  {
    name: 'expired-among-active',
    does: 'lists expired tokens unasked',
    strikes: [
      {
        operation: 'listOauthAccessTokens',
        aspect: 'show_all',
        sentence: active,
        guards: fittingGuards(facts('listOauthAccessTokens'), undefined, ['request']),
        wrong: (holds) => () => (heard, ask) => {
          if (
            heard.operation !== 'listOauthAccessTokens' ||
            heard.query.has('show_all') ||
            !holds(asked(heard))
          )
            return ask()
          return ask({ path: `${heard.path}?${new URLSearchParams([...heard.query, ['show_all', '1']])}` })
        },
      },
    ],
  },
  {
    name: 'only-expired-with-show-all',
    does: 'lists only expired tokens where all are asked for',
    strikes: [
      {
        operation: 'listOauthAccessTokens',
        aspect: 'show_all',
        sentence: active,
        guards: named('always', 'fromTheSecond', 'limited'),
        wrong: (holds) => () => async (heard, ask) => {
          const reply = await ask()
          const body = reply.body
          if (
            heard.operation !== 'listOauthAccessTokens' ||
            heard.query.get('show_all') !== '1' ||
            !isJson(body) ||
            !Array.isArray(body.oauth_access_tokens) ||
            !holds(asked(heard))
          )
            return reply
          const now = new Date().toISOString().replace('T', ' ')
          return {
            ...reply,
            body: {
              ...body,
              oauth_access_tokens: body.oauth_access_tokens.filter(
                (entry) => isJson(entry) && String(entry.expires) < now,
              ),
            },
          }
        },
      },
    ],
  },
]
