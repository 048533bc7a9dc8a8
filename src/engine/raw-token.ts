import { hmac } from '@noble/hashes/hmac.js'
import { sha256 } from '@noble/hashes/sha2.js'

/** Payload of a raw token; `expires` is in seconds since the epoch. */
export interface TokenPayload {
  readonly token: string
  readonly expires: number
}

/** The head of every raw token (RFC 7515, "JWS Compact Serialization"). */
const head = '{"alg":"HS256","typ":"JWT"}'

/** Writes a raw token, signed by a secret. */
export function signToken(payload: TokenPayload, secret: string): string {
  const signed = `${encodeText(head)}.${encodeText(JSON.stringify(payload))}`
  return `${signed}.${signatureOf(signed, secret)}`
}

/** Returns the token in a raw one of three parts; `undefined` if none of the secrets has signed it. */
export function readToken(raw: string, secrets: Iterable<string>): string | undefined {
  const end = raw.lastIndexOf('.')
  const [signed, signature] = [raw.slice(0, end), raw.slice(end + 1)]
  if (Array.from(secrets, (secret) => signatureOf(signed, secret)).includes(signature)) return tokenIn(signed)
  return undefined
}

/**
 * Signs a text by HMAC with SHA-256. Web Crypto is missing in pages outside `https:` and `localhost`, and
 * other libraries reject the byte arrays of jsdom.
 */
function signatureOf(text: string, secret: string): string {
  const encoder = new TextEncoder()
  return encodeBase64Url(hmac(sha256, encoder.encode(secret), encoder.encode(text)))
}

/** Returns the token in the signed part of a raw token with a correct signature. */
function tokenIn(signed: string): string | undefined {
  // The signed part may not come from this mock, because the secret follows from the seed.
  const payload: unknown = JSON.parse(new TextDecoder().decode(decodeBase64Url(signed.split('.')[1]!)))
  // Not `isNested`: a shared helper would become a separate chunk, which each page loads.
  const isObject = typeof payload === 'object' && payload !== null
  return isObject && 'token' in payload && typeof payload.token === 'string' ? payload.token : undefined
}

function encodeText(text: string): string {
  return encodeBase64Url(new TextEncoder().encode(text))
}

/** Encodes bytes as base64url without padding (RFC 4648, section 5). */
function encodeBase64Url(bytes: Uint8Array): string {
  const letters = btoa(String.fromCharCode(...bytes))
  return letters
    .replaceAll('+', '-')
    .replaceAll('/', '_')
    .replace(/(?<!=)=+$/, '')
}

/** Decodes base64url. */
function decodeBase64Url(text: string): Uint8Array {
  return Uint8Array.from(atob(text.replaceAll('-', '+').replaceAll('_', '/')), (letter) =>
    letter.charCodeAt(0),
  )
}
