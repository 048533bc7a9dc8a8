import { isObject } from '../../../contract-tests/runner/is-object.ts'
import { asked, documentedOperations, facts, type Operator, type Strike } from '../mutant.ts'
import { type HeardRequest, isErrorReply } from '../wrong-server.ts'
import {
  apiKey,
  cookie,
  decoded,
  fitting,
  isNear,
  keyInstead,
  keyOf,
  keySentence,
  needing,
  needingToken,
  passes,
  refusesAt,
  tokenInstead,
  tokenOf,
  tokenSentence,
  withHeaders,
} from './credential-strikes.ts'

/** Lets requests pass that were refused for their token. */
function passesUnchecked(isTaken: (heard: HeardRequest) => boolean): Strike[] {
  return needingToken.map((operation) => ({
    operation,
    aspect: 'token',
    sentence: tokenSentence,
    guards: fitting(operation),
    seenBy: documentedOperations,
    wrong: (holds) => () => async (heard, ask) => {
      const reply = await ask()
      const isRefused =
        heard.operation === operation &&
        isTaken(heard) &&
        isErrorReply(reply) &&
        isObject(reply.body) &&
        isObject(reply.body.error) &&
        reply.body.error.code === 401
      return isRefused && holds(asked(heard)) ? ask({ headers: withHeaders(heard, tokenInstead) }) : reply
    },
  }))
}

/** What goes wrong with keys and tokens. */
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
    strikes: passesUnchecked(() => true),
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
    strikes: passesUnchecked((heard) => tokenOf(heard).at !== 'nowhere'),
  },
  {
    name: 'token-prefix-passes',
    does: 'takes the beginning of an OAuth token',
    strikes: passes(
      needingToken,
      'token',
      tokenSentence,
      (heard, rightTokens) =>
        [...rightTokens].some(
          (right) => isNear(tokenOf(heard).token, right) && right.startsWith(tokenOf(heard).token),
        ),
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
]
