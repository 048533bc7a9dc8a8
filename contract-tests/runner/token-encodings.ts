import { isObject } from './is-object.ts'

/** The credentials that a client sends. */
export interface Credentials {
  readonly apiKey?: string | undefined
  /** Place of the key: the header of the samples, or the query parameter of the specification. */
  readonly keyIn?: 'header' | 'query'
  /** The decoded token. */
  readonly token?: string | undefined
  /** The same token as in a session, if the run opened one. */
  readonly raw?: string | undefined
  /** The encoding of the raw token, if the target accepts a tried one. */
  readonly encoding?: TokenEncoding | undefined
  /** Place of the token: decoded in its header, or raw in the cookie if the target accepts it only there. */
  readonly tokenIn?: 'header' | 'cookie'
}

/** An encoding of raw tokens: "The decoding algorithm: not shown", so that a target may choose any. */
export interface TokenEncoding {
  readonly name: string
  /** The commands of a shell that read the token from a raw token; a function `value` gives the value of a member. */
  readonly command: string
  /** The token within a raw token; undefined if the raw token does not have this encoding. */
  decode(raw: string): string | undefined
  /** The same raw token with another token in it. */
  replace(raw: string, token: string): string
}

/** An encoding of a JSON object with an entry `token`. */
function ofJson(
  name: string,
  command: string,
  read: (raw: string) => string,
  write: (text: string, raw: string) => string,
): TokenEncoding {
  const parse = (raw: string): Readonly<Record<string, unknown>> => {
    try {
      const value: unknown = JSON.parse(read(raw))
      return isObject(value) ? value : {}
    } catch {
      return {}
    }
  }
  return {
    name,
    command: `${command} | value token`,
    decode(raw) {
      const { token } = parse(raw)
      return typeof token === 'string' ? token : undefined
    },
    replace: (raw, token) => write(JSON.stringify({ ...parse(raw), token }), raw),
  }
}

const fromBytes = (raw: string, encoding: BufferEncoding) => Buffer.from(raw, encoding).toString('utf8')

const opaque: TokenEncoding = {
  name: 'as it is',
  command: 'cat',
  decode: (raw) => raw,
  replace: (_, token) => token,
}

/** The encodings to try, the most specific first. */
export const tokenEncodings: readonly TokenEncoding[] = [
  ofJson(
    'JWT',
    `cut -d. -f2 | tr '_-' '/+' | sed 's/$/==/' | base64 -d 2>/dev/null`,
    (raw) => fromBytes(raw.split('.')[1] ?? '', 'base64url'),
    (text, raw) => raw.split('.').with(1, Buffer.from(text).toString('base64url')).join('.'),
  ),
  ofJson(
    'base64',
    'base64 -d 2>/dev/null',
    (raw) => fromBytes(raw, 'base64'),
    (text) => Buffer.from(text).toString('base64'),
  ),
  ofJson(
    'hexadecimal',
    `{ printf "$(sed 's/../\\\\x&/g')"; }`,
    (raw) => fromBytes(raw, 'hex'),
    (text) => Buffer.from(text).toString('hex'),
  ),
  ofJson('percent-encoded', `{ printf "$(sed 's/%/\\\\x/g')"; }`, decodeURIComponent, encodeURIComponent),
  opaque,
]

/** The names of the encodings, for a message. */
export const triedEncodings = tokenEncodings.map(({ name }) => name).join(', ')

/** Credentials with the token of another session, decoded as those before. */
export function withSession(credentials: Credentials, raw: string): Credentials {
  const { encoding } = credentials
  return { ...credentials, raw, token: encoding?.decode(raw) }
}

/**
 * Changes the character at a position to a different one, never only its letter case: a target may ignore the case, and
 * what several encodings read alike (0 and O) is not chosen.
 */
export function withOtherCharacter(text: string, at: number): string {
  const character = text.at(at)
  if (character === undefined) return `${text}7`
  const other = /[0-9]/.test(character)
    ? String((Number(character) + 5) % 10)
    : /m/i.test(character)
      ? 'r'
      : 'm'
  const index = at < 0 ? text.length + at : at
  return `${text.slice(0, index)}${other}${text.slice(index + 1)}`
}
