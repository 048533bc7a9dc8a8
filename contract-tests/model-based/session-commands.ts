import type { Exchange } from '../runner/client.ts'
import { equal, listIn, metadataIn, type ReceivedRecord, rawTokenIn } from '../runner/replies.ts'
import { type RequestVariant, requestVariants } from '../runner/request-variants.ts'
import { withSession } from '../runner/token-encodings.ts'
import { nearEmails, nearPasswords } from './invalid-credentials.ts'
import { pageThrough } from './pages.ts'
import { errorOf, isSuccess, type SequenceRun } from './sequence-run.ts'
import { segment, type TrackedRecord } from './tracked-records.ts'

const path = '/api/oauth_access_tokens'

/** The places of the key by turns; no token goes along: whether somebody who is signed in may sign in is not said. */
const keyPlaces = [
  undefined,
  ...requestVariants.filter(({ keyIn, tokenIn }) => keyIn !== undefined && tokenIn === undefined),
]

function openSession(
  sequence: SequenceRun,
  session: ReceivedRecord,
  variant: RequestVariant | undefined,
): Promise<Exchange> {
  const options = { body: { session }, credentials: 'key', ...(variant && { variant }) } as const
  return sequence.send('POST', '/api/sessions', options)
}

/** Maximum number of sign-ins if the token is refused: another client may have ended the session. */
const mostSignIns = 3

/** Opens a session, uses its token in both forms, and checks that the user's list contains it. */
export async function signIn(sequence: SequenceRun, home: TrackedRecord): Promise<void> {
  const { email, password, checksTokens } = sequence.context.provided
  if (email === undefined || password === undefined) return
  const { client } = sequence.context
  await client.alone(async () => {
    for (let attempt = 1; attempt <= mostSignIns; attempt++) {
      const opened = await openSession(sequence, { email, password }, sequence.takeTurn('sign in', keyPlaces))
      const raw = rawTokenIn(opened)
      // Whether each session has a token of its own is not specified (`token-lifetime`).
      const flaw = { received: isSuccess(opened) ? opened.body : errorOf(opened), expected: 'a token' }
      sequence.note('createSession', 'accepted', opened, raw === undefined ? flaw : undefined)
      if (raw === undefined || !checksTokens) return
      const before = client.credentials
      client.credentials = withSession(before, raw)
      const refused = await useSession(sequence, home)
      if (refused === undefined) return checkListed(sequence, before.token)
      if (attempt === mostSignIns)
        sequence.note('readPipeline', 'credentials', refused, {
          received: errorOf(refused),
          expected: 'a success with the token of a session',
        })
    }
  })
}

/** Uses the token of the current session in both forms; returns the reply to the one that is refused. */
async function useSession(sequence: SequenceRun, home: TrackedRecord): Promise<Exchange | undefined> {
  const { token, raw } = sequence.context.client.credentials
  const forms = [...(token === undefined ? [] : [{ 'OAUTH-TOKEN': token }]), { Cookie: `oauth_token=${raw}` }]
  for (const headers of forms) {
    const read = await sequence.context.get(`/api/pipelines/${segment(home, 'target')}`, {
      credentials: 'key',
      headers,
    })
    if (!isSuccess(read)) return read
    sequence.note('readPipeline', 'credentials', read)
  }
  return undefined
}

/** Checks that the list of tokens contains the current session once, where it shows tokens in the form of sessions. */
async function checkListed(sequence: SequenceRun, earlier: string | undefined): Promise<void> {
  const { token } = sequence.context.client.credentials
  if (token === undefined) return
  const listed = await sequence.get(path)
  const tokens = listIn(listed, 'oauth_access_tokens') ?? []
  const found = tokens.filter((record) => record.token === token).length
  // A list that goes on may show it further down.
  if (found === 0 && metadataIn(listed)?.next === true) return
  if (found === 0 && tokens.length > 0 && !tokens.some((record) => record.token === earlier)) return
  sequence.note(
    'listOauthAccessTokens',
    'complete',
    listed,
    found === 1 ? undefined : { received: { 'tokens of the session': found }, expected: 1 },
  )
}

/** Tries to sign in with an address and a password that resemble the right ones: each is refused as specified. */
export async function signInNearly(sequence: SequenceRun): Promise<void> {
  const { email, password } = sequence.context.provided
  if (email === undefined || password === undefined) return
  const tries = [
    ...nearPasswords.map((near) => ({ email, password: near(password, email) })),
    ...nearEmails.map((near) => ({ email: near(email), password })),
  ]
  for (const session of tries) {
    if (session.password === password && session.email === email) continue
    if (session.password !== undefined) sequence.context.client.hide(session.password)
    const variant = sequence.takeTurn('sign in nearly', keyPlaces)
    const exchange = await openSession(sequence, session, variant)
    const { error } = exchange
    const isRefused = error !== undefined
    sequence.note(
      'createSession',
      'refuses',
      exchange,
      isRefused ? undefined : { received: exchange.body, expected: 'an error' },
    )
    // What is absent or empty may be refused for that, and a key for its place.
    if (
      !isRefused ||
      variant !== undefined ||
      Object.values(session).some((value) => value === undefined || value === '')
    )
      continue
    const said = { code: error.code, type: error.type }
    const expected = { code: 404, type: 'record_not_found' }
    sequence.noteRule(
      'errors/sign-in-code',
      exchange,
      equal(said.code, expected.code) ? undefined : { received: said, expected },
    )
    sequence.noteRule(
      'errors/sign-in-type',
      exchange,
      said.type === expected.type ? undefined : { received: said, expected },
    )
  }
}

/** Reads the tokens of the user in pages of every kind, the active ones and all. */
export async function pageTokens(sequence: SequenceRun): Promise<void> {
  // Where nobody has signed in, no user's tokens are asked for.
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
  if (active === undefined || all === undefined) return
  const missing = active.ids.find((token) => !all.ids.includes(token))
  const isForeign =
    otherToken !== undefined && [all.exchange, active.exchange, ...atOnce].some(shows(otherToken))
  const isLacking = expiredToken !== undefined && !all.ids.includes(expiredToken)
  const isStale =
    expiredToken !== undefined && [active.exchange, ...atOnce.slice(0, 2)].some(shows(expiredToken))
  const flaw =
    missing !== undefined
      ? { received: 'an active token is missing', expected: 'active and expired tokens' }
      : isForeign
        ? { received: "another user's token", expected: 'the tokens of the current user' }
        : isLacking
          ? { received: 'an expired token is missing', expected: 'active and expired tokens' }
          : isStale
            ? { received: 'an expired token', expected: 'active tokens' }
            : undefined
  sequence.note('listOauthAccessTokens', 'filter', (isStale ? active : all).exchange, flaw)
}

const shows = (token: string) => (exchange: Exchange) =>
  listIn(exchange, 'oauth_access_tokens')?.some((record) => record.token === token) === true
