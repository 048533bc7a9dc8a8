// Commands of sequences that send credentials similar to the right ones, which the target must refuse.
import { derivedRule } from '../rules/derived.ts'
import { equal } from '../runner/replies.ts'
import { cover } from './coverage-plan.ts'
import { type Guarded, type GuardedOperation, guarded, guardedOperations } from './guarded.ts'
import {
  emptyCredential,
  type InvalidCredential,
  likelyMisses,
  nearMisses,
  noCredential,
  oddMisses,
} from './invalid-credentials.ts'
import { readAround } from './read-back.ts'
import { isSuccess, type SequenceRun, unlessRefused, unlessSuccess } from './sequence-run.ts'
import type { TrackedRecord } from './tracked-records.ts'

/** One wrong credential, sent to one operation in one place. */
interface CredentialAttempt {
  readonly operation: GuardedOperation
  /** The kind of the wrong credential. The other one is correct. */
  readonly of: 'key' | 'token'
  readonly miss: InvalidCredential
  readonly place: 'header' | 'query' | 'body' | 'cookie' | 'nowhere'
  /** True if the correct one is in its header. Otherwise the key is in the query, or the raw token in the cookie. */
  readonly isOtherInHeader: boolean
  /** True for a request with further parameters. */
  readonly addsQuery: boolean
}

/** The known credentials, which limit the places of wrong ones. */
interface CredentialConditions {
  readonly seed: number
  readonly hasRaw: boolean
  readonly hasToken: boolean
}

let planned:
  | { readonly attempts: readonly CredentialAttempt[]; readonly shown: CredentialConditions }
  | undefined

/**
 * The attempts of a run: every likely mistake in both credentials at every operation in every place, with the correct one in
 * either of its places, and with and without further parameters. Distributes the others.
 */
function plan(shown: CredentialConditions): readonly CredentialAttempt[] {
  if (equal(planned?.shown, shown) && planned) return planned.attempts
  const isAmong = (misses: readonly InvalidCredential[]) => (attempt: CredentialAttempt) =>
    misses.includes(attempt.miss)
  const [isLikely, isOdd] = [isAmong(likelyMisses), isAmong(oddMisses)]
  const attempts = cover<CredentialAttempt>(
    {
      factors: {
        operation: guardedOperations,
        of: ['key', 'token'],
        miss: [...likelyMisses, ...nearMisses, ...oddMisses],
        place: ['header', 'query', 'body', 'cookie', 'nowhere'],
        isOtherInHeader: [true, false],
        addsQuery: [true, false],
      },
      every: [
        [['operation', 'of', 'miss', 'place'], isLikely],
        [['operation', 'of', 'miss', 'isOtherInHeader'], isLikely],
        [['operation', 'of', 'miss', 'addsQuery'], isLikely],
        [['operation'], ({ of, miss }) => of === 'key' && miss === emptyCredential],
        [['of', 'miss', 'place', 'isOtherInHeader'], (attempt) => !isOdd(attempt)],
        [['of', 'miss'], isOdd],
      ],
      isPossible: (attempt) => isPossible(attempt, shown),
    },
    shown.seed,
  )
  planned = { attempts, shown }
  return attempts
}

function isPossible(attempt: CredentialAttempt, { hasRaw, hasToken }: CredentialConditions): boolean {
  const { of, miss, place, isOtherInHeader, addsQuery } = attempt
  const { body, query }: Guarded = guarded[attempt.operation]
  if ((miss === noCredential) !== (place === 'nowhere')) return false
  if (addsQuery && query === undefined) return false
  if (place === 'body' && body === undefined) return false
  if (of === 'token') return place !== 'query' && place !== 'body' && (place === 'cookie' ? hasRaw : hasToken)
  return place !== 'cookie' && (isOtherInHeader ? hasToken || !hasRaw : hasRaw)
}

/** The operation that receives wrong credentials, and the selected part of the attempts. */
export interface WrongCredentials {
  readonly to: GuardedOperation
  readonly part?: number
  readonly of?: number
}

/**
 * Sends credentials similar to the correct ones to an operation, in every place: the target must refuse each and change
 * nothing.
 * (Other requests contain the correct ones in every place, see `request-variants.ts`.)
 */
export async function sendWrongCredentials(
  sequence: SequenceRun,
  home: TrackedRecord,
  { to: operation, part = 0, of = 1 }: WrongCredentials,
): Promise<void> {
  const { apiKey: key, token, raw } = sequence.context.client.credentials
  const { checksKeys, checksTokens, seed } = sequence.context.provided
  const request: Guarded = guarded[operation]
  const path = request.path(sequence, home)
  if (key === undefined || !checksKeys || path === undefined) return
  if (sequence.acceptsWrongCredentials.has(operation)) return
  const checksSessions = checksTokens && (token ?? raw) !== undefined
  const attempts = plan({ seed, hasRaw: raw !== undefined, hasToken: token !== undefined }).filter(
    (attempt) => attempt.operation === operation && (attempt.of === 'key' || checksSessions),
  )
  for (const [index, attempt] of attempts.entries()) {
    if (index % of !== part) continue
    const fullPath = attempt.addsQuery
      ? `${path}${path.includes('?') ? '&' : '?'}${request.query?.(home)}`
      : path
    // An accepted request shows the deviation, and may have changed the records for the next ones.
    if (!(await tryWrongCredential(sequence, request, fullPath, attempt))) continue
    sequence.acceptsWrongCredentials.add(operation)
    return
  }
  if (part < of - 1) return
  // Without a check of tokens, no reply shows whether the target decodes the token correctly.
  if (request.isOfUser && !checksSessions) return
  if (request.method === 'GET') {
    // Afterwards, the target must accept the correct credentials.
    const exchange = await sequence.get(path)
    const flaw = unlessSuccess(exchange, 'a success with the right credentials')
    return sequence.note(derivedRule(operation, 'credentials'), exchange, flaw)
  }
  const [touched] = request.readsAfterwards === undefined ? [] : sequence.all(request.readsAfterwards, home)
  await readAround(sequence, { by: operation, touched, refused: 'credentials' })
}

/** Sends a wrong credential; returns whether the target accepts it. */
async function tryWrongCredential(
  sequence: SequenceRun,
  { method, body }: Guarded,
  path: string,
  { operation, of, miss, place, isOtherInHeader }: CredentialAttempt,
): Promise<boolean> {
  const { apiKey: key = '', token, raw = '', encoding } = sequence.context.client.credentials
  const right = (of === 'key' ? key : token) ?? raw
  const other = miss.of(right, (of === 'key' ? token : key) ?? '')
  // A change of a raw token outside its token may decode to the same one.
  const wrong = place === 'cookie' && other ? (encoding?.replace(raw, other) ?? other) : other
  if (wrong === right) return false
  if (wrong !== undefined) sequence.context.client.hideWrong(wrong)
  const shown = (where: CredentialAttempt['place']) => (place === where ? wrong : undefined)
  const cookie = of === 'token' ? shown('cookie') : isOtherInHeader ? undefined : raw
  const headers = defined({
    'X-API-KEY': of === 'key' ? shown('header') : isOtherInHeader ? key : undefined,
    'OAUTH-TOKEN': of === 'token' ? shown('header') : isOtherInHeader ? token : undefined,
    Cookie: cookie === undefined ? undefined : `oauth_token=${cookie}`,
  })
  const inQuery = of === 'key' ? shown('query') : isOtherInHeader ? undefined : key
  const query = inQuery === undefined ? '' : `api_key=${encodeURIComponent(inQuery)}`
  const fullPath = query === '' ? path : `${path}${path.includes('?') ? '&' : '?'}${query}`
  const inBody = of === 'key' ? shown('body') : undefined
  const exchange = await sequence.context.send(method, fullPath, {
    credentials: false,
    headers,
    ...(body && { body: { ...body(sequence), ...(inBody !== undefined && { api_key: inBody }) } }),
  })
  const expected = `an error: the ${of} is ${place === 'nowhere' ? 'missing' : `${miss.name}, in the ${place}`}`
  sequence.note(derivedRule(operation, 'credentials'), exchange, unlessRefused(exchange, expected))
  return isSuccess(exchange)
}

function defined(headers: Readonly<Record<string, string | undefined>>): Record<string, string> {
  return Object.fromEntries(
    Object.entries(headers).flatMap(([name, value]) => (value === undefined ? [] : [[name, value]])),
  )
}
