// Commands of sequences that sign in, use the tokens of sessions and try wrong ones.
import { derivedRule } from '../rules/derived.ts'
import type { RuleId } from '../rules/index.ts'
import type { Exchange } from '../runner/client.ts'
import { listIn, metadataIn, type ReceivedRecord, rawTokenIn } from '../runner/replies.ts'
import { combined, type RequestVariant, requestForms, requestVariants } from '../runner/request-variants.ts'
import { findEncoding } from '../runner/session.ts'
import { triedEncodings, withOtherCharacter } from '../runner/token-encodings.ts'
import { nearEmails, nearPasswords } from './invalid-credentials.ts'
import { unknownId } from './refused-commands.ts'
import { errorOf, isSuccess, type SequenceRun, unless, unlessRefused, unlessSuccess } from './sequence-run.ts'

/** The places of the key, in rotation. No request has a token: a session may forbid another sign-in. */
const keyPlaces = [
  undefined,
  ...requestVariants.filter(({ keyIn, tokenIn }) => keyIn !== undefined && tokenIn === undefined),
]

function openSession(
  sequence: SequenceRun,
  session: ReceivedRecord,
  variant: RequestVariant | undefined,
): Promise<Exchange> {
  const form = sequence.nextOf('form of sessions', [undefined, ...requestForms.writes])
  const written = combined(variant, form)
  const options = { body: { session }, credentials: 'key', ...(written && { variant: written }) } as const
  return sequence.send('POST', '/api/sessions', options)
}

const tokenPage = '/api/oauth_access_tokens?_limit=60&_offset=0'
/** Maximum number of sign-ins if the target refuses the token: another client may have ended the session. */
const mostSignIns = 3

/** Opens a session, uses its token in both forms, and checks that the list of tokens contains it. */
export async function signIn(sequence: SequenceRun): Promise<void> {
  const { email, password, checksTokens } = sequence.context.provided
  if (email === undefined || password === undefined) return
  const { client } = sequence.context
  // The list with the new session must not be this one.
  await sequence.context.get(tokenPage)
  for (let attempt = 1; attempt <= mostSignIns; attempt++) {
    const opened = await openSession(sequence, { email, password }, sequence.nextOf('sign in', keyPlaces))
    const raw = rawTokenIn(opened)
    if (isLock(opened)) return
    // The specification leaves open whether each session has its own token (`token-lifetime`).
    const received = isSuccess(opened) ? opened.body : errorOf(opened)
    sequence.note(
      'create-session/accepted',
      opened,
      unless(raw !== undefined, received, isSuccess(opened) ? 'a token' : 'a success'),
    )
    if (raw === undefined) return
    const before = client.credentials
    const encoding = before.encoding ?? (checksTokens ? undefined : await findEncoding(client, raw))
    const token = encoding?.decode(raw)
    client.credentials = {
      ...before,
      raw,
      token,
      encoding,
      ...(token === undefined && { tokenIn: 'cookie' }),
    }
    const isLast = attempt === mostSignIns
    if (!(await useSession(sequence, isLast))) continue
    if (checksTokens) await presentWrongToken(sequence)
    return checkListed(sequence, [token, raw], [before.token, before.raw])
  }
}

/** Reads with the token of a session. After a refusal, another list than that of pipelines, which may be long. */
const beforeRefusals = ['listPipelines', '/api/pipelines'] as const
const afterRefusal = ['listBackfills', '/api/backfills?_limit=1'] as const

/** Requests that the target must refuse without ending the session. */
const refusedRequests = (sequence: SequenceRun) => {
  const path = `/api/pipelines/${sequence.prefix}_no_such`
  return [
    ['POST', '/api/pipelines', { pipeline: { type: 'python' } }],
    ['POST', `${path}/blocks`, { block: { type: 'custom' } }],
    ['PUT', `${path}/backfills/${unknownId(sequence)}`, { backfill: { name: 'none' } }],
    ['DELETE', `${path}/blocks/no_such`, undefined],
    ['POST', '/api/sessions', { session: { email: sequence.context.provided.email, password: 'not-it' } }],
  ] as const
}

/**
 * Uses the token of the session in both forms, and after each of several refusals. Returns whether the target accepts it each
 * time. Notes only the last refusal.
 */
async function useSession(sequence: SequenceRun, isLast: boolean): Promise<boolean> {
  const { token, raw = '' } = sequence.context.client.credentials
  const forms: readonly (readonly [rule: RuleId, headers: Readonly<Record<string, string>>])[] = [
    ['authentication/raw-token-cookie', { Cookie: `oauth_token=${raw}` }],
    ...(token === undefined
      ? []
      : [['authentication/decoded-token-header', { 'OAUTH-TOKEN': token }] as const]),
  ]
  const [last] = forms.slice(-1)
  const refusals = last ? refusedRequests(sequence).map((each) => [...last, each] as const) : []
  for (const [rule, headers, refused] of [
    ...forms.map((form) => [...form, undefined] as const),
    ...refusals,
  ]) {
    if (refused !== undefined) {
      const [method, path, body] = refused
      await sequence.context.send(method, path, { credentials: 'key', headers, ...(body && { body }) })
    }
    const [operation, read] = refused ? afterRefusal : beforeRefusals
    const exchange = await sequence.context.get(read, { credentials: 'key', headers })
    if (!isSuccess(exchange) && !isLast) return false
    const flaw = unlessSuccess(exchange, 'a success with the token of a session')
    sequence.note([rule, derivedRule(operation, 'credentials')], exchange, flaw)
  }
  return true
}

/** Sends no token, then a wrong one: the target must refuse both. */
async function presentWrongToken(sequence: SequenceRun): Promise<void> {
  const { client, verdicts } = sequence.context
  const { token } = client.credentials
  const read = (headers: Readonly<Record<string, string>>) =>
    sequence.context.get('/api/pipelines', { credentials: 'key', headers })
  const without = await read({})
  sequence.note('authentication/token-needed', without, unlessRefused(without))
  if (token !== undefined) {
    const wrong = await read({ 'OAUTH-TOKEN': withOtherCharacter(token, Math.floor(token.length / 2)) })
    return sequence.note('authentication/wrong-token', wrong, unlessRefused(wrong))
  }
  const missing = `The target accepts no token that a known decoding (${triedEncodings}) finds in the raw token. The specification does not show the algorithm; the verifier sent the raw token in the cookie.`
  verdicts.notReached(['authentication/decoded-token-header', 'authentication/wrong-token'], missing, 'need')
}

/** Checks that the list of tokens contains the current session once, if it shows tokens in the form of sessions. */
async function checkListed(
  sequence: SequenceRun,
  current: readonly (string | undefined)[],
  earlier: readonly (string | undefined)[],
): Promise<void> {
  // The list contains the session, whichever form of the token the request has.
  const { token, raw = '' } = sequence.context.client.credentials
  const headers = token === undefined ? { Cookie: `oauth_token=${raw}` } : { 'OAUTH-TOKEN': token }
  const read = (path: string) => sequence.context.get(path, { credentials: 'key', headers })
  const page = await read(tokenPage)
  const listed = metadataIn(page)?.next === false ? page : await read('/api/oauth_access_tokens')
  const tokens = listIn(listed, 'oauth_access_tokens') ?? []
  const countOf = (session: readonly unknown[]) =>
    tokens.filter(({ token }) => token !== undefined && session.includes(token)).length
  const found = countOf(current)
  const { verdicts } = sequence.context
  if (found === 0 && metadataIn(listed)?.next === true) {
    const missing = 'The token list has further pages; verify as a user with fewer tokens.'
    verdicts.notReached(['tokens/current'], missing, 'need')
  } else if (found === 0 && tokens.length > 0 && countOf(earlier) === 0) {
    const missing = 'The token list shows tokens in a form that sessions do not return.'
    verdicts.notReached(['tokens/current'], missing, 'need')
  } else {
    const flaw = unless(found === 1, { absent: 'the token of the session' }, 'the token of the session')
    sequence.note('list-oauth-access-tokens/complete', listed, flaw)
    sequence.note('tokens/current', listed, found === 0 ? flaw : undefined)
  }
}

/** Reports whether a target refuses sign-ins because of earlier wrong ones: "rate limits […]: not shown". */
function isLock({ error }: Exchange): boolean {
  return error?.code === 423 || /lock|attempts/i.test(String(error?.type))
}

/** Words for an invalid value; the specification gives the meaning of the message, not its text. */
const isCalledInvalid =
  /invalid|incorrect|wrong|bad|unknown|not|n't|fail|no such|mismatch|check|denied|unable|try again/i
const isEnglish = /\b(?:the|your|you|is|are|was|or|and|with|for)\b/i
/** Words for a password or another credential of a user, in several languages: the specification names none. */
const namesPassword =
  /passwor[dt]|credential|log.?in|kennwort|mot de passe|contraseña|senha|wachtwoord|lösenord|passord|hasło|heslo|jelszó|parol|şifre|пароль|密码|密碼|パスワード|비밀번호/i

/** Tries to sign in with an address and a password that resemble the right ones. The target must refuse each as specified. */
export async function signInWrongly(sequence: SequenceRun): Promise<void> {
  const { email, password } = sequence.context.provided
  if (email === undefined || password === undefined) return
  const tries = [
    ...nearPasswords.map((near) => ({ email, password: near(password, email) })),
    ...nearEmails.map((near) => ({ email: near(email), password })),
  ]
  for (const [index, session] of tries.entries()) {
    if (session.password === password && session.email === email) continue
    if (typeof session.password === 'string') sequence.context.client.hideWrong(session.password)
    // The target may refuse a value that is absent, null or empty, or a key in another place, for that reason.
    const isComplete = Object.values(session).every((value) => typeof value === 'string' && value !== '')
    const isPlain = isComplete && index % 2 === 0
    const variant = isPlain ? undefined : sequence.nextOf('sign in wrongly', keyPlaces)
    const exchange = await openSession(sequence, session, variant)
    sequence.note('create-session/refuses', exchange, unlessRefused(exchange))
    if (exchange.error !== undefined && variant === undefined && isComplete && !isLock(exchange))
      noteSignInError(sequence, exchange)
  }
}

/** Compares the error of a failed sign-in with its sentence. */
function noteSignInError(sequence: SequenceRun, exchange: Exchange): void {
  const { code, type, message } = exchange.error ?? {}
  const specified = { code: 404, type: 'record_not_found' }
  const about = (isAsExpected: boolean) => unless(isAsExpected, { code, type }, specified)
  sequence.note('errors/sign-in-code', exchange, about(code === 404))
  sequence.note('errors/sign-in-type', exchange, about(type === 'record_not_found'))
  const text = String(message)
  const isAboutSignIn = namesPassword.test(text) && (isCalledInvalid.test(text) || !isEnglish.test(text))
  const expected = 'a message about an invalid name or password'
  sequence.note('errors/sign-in-message', exchange, unless(isAboutSignIn, { message }, expected))
}
