import { hmac } from '@noble/hashes/hmac.js'
import { sha256 } from '@noble/hashes/sha2.js'
import { decodeBase64Url, encodeBase64Url } from '../wire/base64-url.ts'

// Neither Web Crypto, which pages have on `https:` and `localhost` only, nor a library that takes the bytes of its own
// realm alone, as those of jsdom are not.

/** The head of every token (RFC 7515, "JWS Compact Serialization"). */
const head = '{"alg":"HS256","typ":"JWT"}'

/** Writes a JSON Web Token, signed by HMAC with SHA-256. */
export function signJsonWebToken(payload: object, secret: string): string {
  const signed = `${encodeText(head)}.${encodeText(JSON.stringify(payload))}`
  return `${signed}.${signatureOf(signed, secret)}`
}

/** The payload of a JSON Web Token that was signed with one of these secrets; `undefined` of any other text. */
export function readJsonWebToken(text: string, secrets: Iterable<string>): unknown {
  const end = text.lastIndexOf('.')
  const signed = text.slice(0, end)
  if (![...secrets].some((secret) => signatureOf(signed, secret) === text.slice(end + 1))) return undefined
  return JSON.parse(new TextDecoder().decode(decodeBase64Url(signed.split('.')[1]!)))
}

function signatureOf(text: string, secret: string): string {
  const encoder = new TextEncoder()
  return encodeBase64Url(hmac(sha256, encoder.encode(secret), encoder.encode(text)))
}

function encodeText(text: string): string {
  return encodeBase64Url(new TextEncoder().encode(text))
}
