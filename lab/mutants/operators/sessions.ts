import { isObject } from '../../../contract-tests/runner/is-object.ts'
import { fittingGuards } from '../guards.ts'
import { asked, documentedOperations, facts, mapRecords, named, type Operator } from '../mutant.ts'
import { isErrorReply } from '../wrong-server.ts'
import {
  active,
  currentUser,
  email,
  failed,
  isNear,
  onSession,
  password,
  session,
  token,
  withHeaders,
} from './credential-strikes.ts'

/** What goes wrong with sessions and the list of tokens. */
export const sessionOperators: readonly Operator[] = [
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
            const error = isObject(reply.body) ? reply.body.error : undefined
            if (
              heard.operation !== 'createSession' ||
              !isObject(error) ||
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
          !isObject(reply.body) ||
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
            !isObject(reply.body) ||
            isErrorReply(reply) ||
            !holds(asked(heard))
          )
            return reply
          const other = await ask({
            path: '/api/oauth_access_tokens',
            headers: withHeaders(heard, { 'OAUTH-TOKEN': 'other-active-token' }),
          })
          const theirs =
            isObject(other.body) && Array.isArray(other.body.oauth_access_tokens)
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
          const { body } = reply
          const isStruck = heard.operation === 'listOauthAccessTokens' && heard.query.get('show_all') === '1'
          if (
            !isStruck ||
            !isObject(body) ||
            !Array.isArray(body.oauth_access_tokens) ||
            !holds(asked(heard))
          )
            return reply
          const active = await ask({ path: heard.path })
          const activeTokens = JSON.stringify(active.body)
          const expired = body.oauth_access_tokens.filter(
            (entry) => isObject(entry) && !activeTokens.includes(String(entry.token)),
          )
          return { ...reply, body: { ...body, oauth_access_tokens: expired } }
        },
      },
    ],
  },
]
