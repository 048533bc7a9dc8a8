import type { Statement } from '../../../contract-tests/rules/document.ts'
import type { OperationId } from '../../../contract-tests/rules/operation-id.ts'
import { isObject } from '../../../contract-tests/runner/is-object.ts'
import type { Guard, GuardName } from '../guards.ts'
import {
  asked,
  bodyWith,
  documentedOperations,
  facts,
  named,
  refusal,
  type Strike,
  sentence,
  sentRecord,
} from '../mutant.ts'
import { type HeardRequest, isErrorReply } from '../wrong-server.ts'

/** The credentials that the good server takes, for servers that do not look at those they are sent. */
const goodCredentials = { apiKey: 'contract-key', token: 'judge-active-token' } as const

export const needing: readonly OperationId[] = documentedOperations.filter((operation) =>
  facts(operation).needs.credentials.includes('api-key'),
)
export const needingToken: readonly OperationId[] = documentedOperations.filter((operation) =>
  facts(operation).needs.credentials.includes('oauth-token'),
)

export const keySentence = sentence('Authentication', 'An API key, `<API_KEY>`')
export const tokenSentence = sentence('Authentication', 'Sessions are required only')
export const cookie = sentence('Authentication', 'oauth_token=<RAW_TOKEN>')
export const decoded = sentence('Authentication', '<DECODED_TOKEN>')
export const currentUser = sentence('Authentication', "only the current user's tokens")
export const active = sentence('Read OAuth tokens', '`show_all`')
export const failed = sentence('Errors', 'A failed session authentication')
export const session = sentence('Session', 'created to obtain an OAuth token')

/** Where a request has its API key, and what it says there. */
export function keyOf({ headers, query, body }: HeardRequest): {
  readonly at: 'header' | 'query' | 'body' | 'nowhere'
  readonly key: string
} {
  const header = headers.get('x-api-key')
  if (header !== null) return { at: 'header', key: header }
  const inQuery = query.get('api_key')
  if (inQuery !== null) return { at: 'query', key: inQuery }
  const inBody = isObject(body) ? body.api_key : undefined
  return inBody === undefined ? { at: 'nowhere', key: '' } : { at: 'body', key: String(inBody) }
}

/** Where a request has its OAuth token, and what it says there. */
export function tokenOf({ headers }: HeardRequest): {
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

export function withHeaders({ headers }: HeardRequest, changes: Readonly<Record<string, string>>): Headers {
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
export const fitting = (operation: OperationId): Guard[] =>
  named(...few).filter((guard) => guard.fits(facts(operation), undefined))

/** Lets requests pass whose credential is wrong. */
export function passes(
  operations: readonly OperationId[],
  aspect: string,
  stated: Statement,
  isTaken: (heard: HeardRequest, rightTokens: ReadonlySet<string>) => boolean,
  instead: Readonly<Record<string, string>>,
): Strike[] {
  return operations.map((operation) => ({
    operation,
    aspect,
    sentence: stated,
    guards: fitting(operation),
    seenBy: documentedOperations,
    wrong: (holds) => () => {
      // Those of sessions are right as well, once they were let in.
      const rightTokens = new Set<string>([goodCredentials.token])
      return async (heard, ask) => {
        if (heard.operation === operation && isTaken(heard, rightTokens) && holds(asked(heard)))
          return ask({ headers: withHeaders(heard, instead) })
        const reply = await ask()
        const presented = tokenOf(heard)
        if (presented.at === 'header' && !isErrorReply(reply)) rightTokens.add(presented.token)
        return reply
      }
    },
  }))
}

/** Refuses requests whose credential is right and stands in a documented place. */
export function refusesAt(
  operations: readonly OperationId[],
  aspect: string,
  stated: Statement,
  isThere: (heard: HeardRequest) => boolean,
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

export const { apiKey, token } = goodCredentials
export const keyInstead = { 'X-API-KEY': apiKey }
export const tokenInstead = { 'OAUTH-TOKEN': token }
export const isNear = (given: string, own: string) => given.length > 3 && given !== own

export function onSession(
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

export const password = 'gavel-and-robe'
export const email = 'judge@example.com'
