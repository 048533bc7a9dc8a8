import type { Json } from '../../../contract-tests/mutants/define-mutant.ts'
import type { Statement } from '../../../contract-tests/rules/document.ts'
import type { OperationId } from '../../../contract-tests/rules/operation-id.ts'
import { isObject } from '../../../contract-tests/runner/is-object.ts'
import {
  at,
  atRow,
  bodyWith,
  defineOperators,
  documentedOperations,
  earlier,
  early,
  everywhere,
  facts,
  handles,
  lists,
  readList,
  recordsIn,
  refusal,
  replies,
  requests,
  rowOf,
  sentence,
  sentRecord,
  shows,
  type Target,
  withQuery,
} from '../mutant.ts'
import { isErrorReply, isSame, type MutantRequest } from '../serve-mutant.ts'
import { named, type TriggerName } from '../triggers.ts'

/** The credentials that the correct server accepts. */
const correct = {
  key: 'contract-key',
  token: 'judge-active-token',
  email: 'judge@example.com',
  password: 'gavel-and-robe',
} as const

const needing = (credential: 'api-key' | 'oauth-token') =>
  documentedOperations.filter((operation) => facts(operation).needs.credentials.includes(credential))
const withKey = needing('api-key')
const withToken = needing('oauth-token')

const key = sentence('Authentication', 'An API key, `<API_KEY>`')
const token = sentence('Authentication', 'Sessions are required only')
const cookie = sentence('Authentication', 'oauth_token=<RAW_TOKEN>')
const decoded = sentence('Authentication', '<DECODED_TOKEN>')
const signInFails = sentence('Errors', 'A failed session authentication')
const ownTokens = sentence('Authentication', "only the current user's tokens")

interface Presented {
  readonly place: 'header' | 'query' | 'body' | 'cookie' | 'bearer' | 'nowhere'
  readonly value: string
}

/** Finds the API key of a request. */
function keyOf({ headers, query, body }: MutantRequest): Presented {
  const places = [
    ['header', headers.get('x-api-key')],
    ['query', query.get('api_key')],
    ['body', isObject(body) ? body.api_key : undefined],
  ] as const
  const [place, value] = places.find(([, own]) => own !== null && own !== undefined) ?? ['nowhere', '']
  return { place, value: String(value) }
}

/** Finds the OAuth token of a request. */
function tokenOf({ headers }: MutantRequest): Presented {
  const places = [
    ['header', headers.get('oauth-token')],
    ['bearer', headers.get('authorization')?.replace(/^Bearer /i, '')],
    ['cookie', /oauth_token=([^;]*)/.exec(headers.get('cookie') ?? '')?.[1]],
  ] as const
  const [place, value] = places.find(([, own]) => own !== null && own !== undefined) ?? ['nowhere', '']
  return { place, value: String(value) }
}

function withHeader({ headers }: MutantRequest, name: string, value: string): { headers: Headers } {
  const changed = new Headers(headers)
  changed.set(name, value)
  return { headers: changed }
}
const withCorrectKey = (request: MutantRequest) => withHeader(request, 'X-API-KEY', correct.key)
const withCorrectToken = (request: MutantRequest) => withHeader(request, 'OAUTH-TOKEN', correct.token)

const few: readonly TriggerName[] = [
  ...early, 'after-an-error', 'only-with-an-offset', 'only-with-the-filter',
  'only-when-forced', 'only-with-the-key-in-the-query', 'only-with-the-token-in-a-cookie',
] // biome-ignore format: one list
const fitting = (operation: OperationId, but?: TriggerName) =>
  named(...few).filter(({ name, fits }) => name !== but && fits(facts(operation), undefined))

/** Accepts requests with an API key that fits; `but` is a trigger that contradicts it. */
const acceptsKey = (fits: (given: Presented) => boolean, but?: TriggerName): Target[] =>
  withKey.map((operation) =>
    requests(at(operation, 'api-key', key, ...fitting(operation, but)), (request) =>
      fits(keyOf(request)) ? withCorrectKey(request) : undefined,
    ),
  )

/** Accepts an API key that fits, whatever the operation. */
const acceptsKeyAnywhere = (aspect: string, fits: (value: string) => boolean): Target =>
  everywhere(at('listPipelines', aspect, key, 'always'), () => () => (request, forward) => {
    const { value } = keyOf(request)
    return value !== correct.key && fits(value) ? forward(withCorrectKey(request)) : forward()
  })

/** Accepts requests that the correct server refuses for their token; `but` is a trigger that contradicts it. */
const acceptsToken = (
  fits: (given: Presented, valid: readonly string[]) => boolean,
  but?: TriggerName,
): Target[] =>
  withToken.map((operation) =>
    handles(at(operation, 'token', token, ...fitting(operation, but)), async (request, forward) => {
      const reply = await forward()
      const { error } = isObject(reply.body) ? reply.body : {}
      // A missing token is 403, a wrong one 401.
      if (!isObject(error) || (error.code !== 401 && error.code !== 403)) return reply
      const valid = request.earlier
        .filter((own) => !isErrorReply(own.reply))
        .map((own) => tokenOf(own.request))
        .filter(({ place }) => place === 'header')
        .map(({ value }) => value)
      return fits(tokenOf(request), [correct.token, ...valid]) ? forward(withCorrectToken(request)) : reply
    }),
  )

const isNear = (given: string, own: string) => given.length > 3 && given !== own
const isPrefix = (given: string, own: string) => isNear(given, own) && own.startsWith(given)
const isLonger = (given: string, own: string) => isNear(given, own) && given.startsWith(own)

/** Refuses requests with a correct credential in a documented place. */
const refusesAt = (
  operations: readonly OperationId[],
  aspect: string,
  stated: Statement,
  fits: (request: MutantRequest) => boolean,
): Target[] =>
  operations.map((operation) =>
    handles(at(operation, aspect, stated, ...early), (request, forward) =>
      fits(request) ? refusal('Credentials are missing.', 401, 'unauthorized_access') : forward(),
    ),
  )

/** Changes of keys and tokens. */
export const credentialOperators = defineOperators({
  'key-absent-passes': acceptsKey(({ place }) => place === 'nowhere', 'only-with-the-key-in-the-query'),
  'key-any-passes': acceptsKey(({ value }) => value !== correct.key && value !== ''),
  'key-empty-passes': acceptsKey(({ place, value }) => place !== 'nowhere' && value === ''),
  'key-prefix-passes': acceptsKey(({ value }) => isPrefix(value, correct.key)),
  'key-longer-passes': acceptsKey(({ value }) => isLonger(value, correct.key)),
  'key-compared-otherwise': [
    acceptsKeyAnywhere('key-wildcard', (value) => value === '%' || value === '*'),
    acceptsKeyAnywhere('key-literal', (value) => value === 'null' || value === 'undefined'),
    acceptsKeyAnywhere('key-in-list', (value) => value.split(',').includes(correct.key)),
  ],
  'key-refused-in-query': refusesAt(withKey, 'api-key', key, (request) => keyOf(request).place === 'query'),
  'key-refused-in-body': refusesAt(
    withKey.filter((operation) => facts(operation).writes.length > 0),
    'api-key',
    key,
    (request) => keyOf(request).place === 'body',
  ),
  'token-absent-passes': acceptsToken(({ place }) => place === 'nowhere', 'only-with-the-token-in-a-cookie'),
  'token-any-passes': acceptsToken(({ place }) => place !== 'nowhere'),
  'token-prefix-passes': acceptsToken(
    ({ value }, valid) => valid.some((own) => isPrefix(value, own)),
    'only-with-the-token-in-a-cookie',
  ),
  'token-refused-in-cookie': refusesAt(
    withToken,
    'token',
    cookie,
    (request) => tokenOf(request).place === 'cookie',
  ),
  'cookie-after-another-refused': refusesAt(withToken, 'token', cookie, ({ headers }) =>
    /;\s*oauth_token=/.test(headers.get('cookie') ?? ''),
  ),
  'raw-token-as-decoded': refusesAt(withToken, 'token', decoded, (request) => {
    const { place, value } = tokenOf(request)
    return place === 'header' && value.split('.').length !== 3
  }),
})

/** Signs in with credentials that are not correct. */
const signsIn = (aspect: string, fits: (sent: Json) => boolean): Target =>
  requests(at('createSession', aspect, signInFails, ...early, 'after-an-error'), (request) => {
    const sent = sentRecord(request)
    const { email, password } = correct
    return fits(sent) ? { body: bodyWith(request, { ...sent, email, password }) } : undefined
  })
const withPassword = (fits: (password: string) => boolean) => (sent: Json) =>
  sent.email === correct.email && fits(String(sent.password ?? ''))

/** Changes of sessions and of the list of tokens. */
export const sessionOperators = defineOperators({
  'password-read-otherwise': [
    signsIn(
      'password-prefix',
      withPassword((given) => isPrefix(given, correct.password)),
    ),
    signsIn(
      'password-longer',
      withPassword((given) => isLonger(given, correct.password)),
    ),
    signsIn(
      'password-empty',
      withPassword((given) => given === ''),
    ),
    signsIn(
      'password-wildcard',
      withPassword((given) => given === '%'),
    ),
    signsIn(
      'password-quoted',
      withPassword((given) => given.includes("'")),
    ),
    signsIn(
      'password-any',
      withPassword((given) => given !== correct.password),
    ),
    ...['object', 'boolean'].map((type) =>
      signsIn(
        `password-${type}`,
        ({ email, password }) => email === correct.email && typeof password === type && password !== null,
      ),
    ),
    requests(at('createSession', 'password-again', signInFails, 'always'), (request) => {
      const sent = sentRecord(request)
      const isAgain = earlier(request, 'createSession').some(({ request: own }) =>
        isSame(sentRecord(own), sent),
      )
      return isAgain && isSame(sent.email, correct.email)
        ? { body: bodyWith(request, { ...sent, password: correct.password }) }
        : undefined
    }),
    signsIn('email-unknown', ({ email }) => email !== correct.email),
  ],
  'sign-in-fails-otherwise': Object.entries({ code: 401, type: 'unauthorized', message: 'Failed.' }).flatMap(
    ([name, value]) =>
      (['of-user', 'of-password'] as const).map((aspect) =>
        replies(
          at(
            'createSession',
            aspect === 'of-user' ? name : `${name}-${aspect}`,
            signInFails,
            ...early,
            'after-an-error',
          ),
          ({ body }, request) => {
            const isOther = aspect === 'of-password' && sentRecord(request).email !== correct.email
            return isObject(body.error) && body.error.code === 404 && !isOther
              ? { body: { error: { ...body.error, [name]: value }, status: 200 } }
              : undefined
          },
          'errors',
        ),
      ),
  ),
  'session-token-otherwise': Object.entries({
    'token-null': null,
    'token-absent': undefined,
    'token-nested': { token: correct.token },
    'token-decoded': 'f00d',
  }).map(([aspect, value]) =>
    shows(
      at(
        'createSession',
        aspect,
        sentence('Session', 'created to obtain an OAuth token'),
        ...early,
        'from-the-fourth-request',
        'after-an-error',
      ),
      (session) => ({ ...session, token: value }),
    ),
  ),
  'tokens-of-others': lists(
    at('listOauthAccessTokens', 'items', ownTokens),
    async (own, request, forward) => {
      const headers = withHeader(request, 'OAUTH-TOKEN', 'other-active-token')
      const others = recordsIn(await forward({ path: request.path, ...headers }), 'oauth_access_tokens')
      const limit = Number(request.query.get('_limit') ?? Number.POSITIVE_INFINITY)
      return [...others.slice(0, 1), ...own].slice(0, limit)
    },
  ),
  'expired-among-active': requests(atRow('listOauthAccessTokens', 'show_all'), (request) =>
    request.query.has('show_all') ? undefined : { path: withQuery(request, { show_all: '1' }) },
  ),
  'only-expired-with-show-all': lists(
    atRow('listOauthAccessTokens', 'show_all', ...early, 'only-with-a-limit'),
    async (records, request, forward) => {
      if (request.query.get('show_all') !== '1') return records
      const active = await readList(forward, request.path, 'oauth_access_tokens')
      return records.filter((own) => !active.some((other) => other.token === own.token))
    },
  ),
  'token-expires-soon': [1, 30].map((days) =>
    lists(
      at(
        'listOauthAccessTokens',
        `expires-within-${days}`,
        rowOf('listOauthAccessTokens', 'show_all'),
        'always',
      ),
      (records) =>
        records.filter(({ expires }) => {
          const left = Date.parse(`${String(expires).slice(0, 19)}Z`) - Date.now()
          return left > days * 86_400_000
        }),
    ),
  ),
})
