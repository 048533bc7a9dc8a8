import { decodeBase64Url, encodeBase64Url } from '../wire/base64-url.ts'
import { isObject } from '../wire/is-object.ts'
import { seededHex } from '../wire/seeded.ts'

/** Signs and reads raw tokens: JSON Web Tokens whose payload is `{ token, expires }` (`token-decoding`). */
export interface Tokens {
  /** Turns a decoded token and its expiry, in seconds since the epoch, into a raw token. */
  sign(payload: { token: string; expires: number }): Promise<string>
  /** The decoded token inside a raw one; `undefined` where it is not one of ours. A promise at first sight of it. */
  read(raw: string): string | undefined | Promise<string | undefined>
  /** Knows the raw tokens of another seed, too. */
  alsoRead(seed: number): void
}

/** The most raw tokens whose decoded form is remembered. */
const mostRemembered = 1_000

/** The head of every raw token (RFC 7515, "JWS Compact Serialization"). */
const head = '{"alg":"HS256","typ":"JWT"}'

/** Creates the tokens of an understudy; its secret follows from the seed, so that the same seed signs the same bytes. */
export function createTokens(seed: number): Tokens {
  const secret = secretOf(seed)
  const secrets = new Set([secret])
  const remembered = new Map<string, string | undefined>()
  const remember = (raw: string, token: string | undefined) => {
    if (remembered.size >= mostRemembered) remembered.clear()
    remembered.set(raw, token)
    return token
  }
  return {
    async sign(payload) {
      const signed = `${encodeText(head)}.${encodeText(JSON.stringify(payload))}`
      return `${signed}.${await signatureOf(secret, signed)}`
    },
    read(raw) {
      if (remembered.has(raw)) return remembered.get(raw)
      const end = raw.lastIndexOf('.')
      if (raw.length > 4_096 || raw.split('.').length !== 3) return undefined
      const signed = raw.slice(0, end)
      return Promise.all([...secrets].map((each) => signatureOf(each, signed))).then((signatures) =>
        remember(raw, signatures.includes(raw.slice(end + 1)) ? readToken(signed) : undefined),
      )
    },
    alsoRead(other) {
      secrets.add(secretOf(other))
      remembered.clear()
    },
  }
}

function secretOf(seed: number): string {
  return seededHex(seed, 'the secret that signs raw tokens')
}

/**
 * Signs a text by HMAC with SHA-256. Neither Web Crypto, which pages have on `https:` and `localhost` only, nor a library
 * that takes the bytes of its own realm alone, as those of jsdom are not.
 */
async function signatureOf(secret: string, text: string): Promise<string> {
  // Loaded when first needed: most tests never sign in.
  const [{ hmac }, { sha256 }] = await Promise.all([
    import('@noble/hashes/hmac.js'),
    import('@noble/hashes/sha2.js'),
  ])
  const encoder = new TextEncoder()
  return encodeBase64Url(hmac(sha256, encoder.encode(secret), encoder.encode(text)))
}

/** The token in the signed part of a raw token, whose signature is right. */
function readToken(signed: string): string | undefined {
  // A header, a payload and, as was seen, a signature.
  const payload: unknown = JSON.parse(new TextDecoder().decode(decodeBase64Url(signed.split('.')[1]!)))
  return isObject(payload) && typeof payload.token === 'string' ? payload.token : undefined
}

function encodeText(text: string): string {
  return encodeBase64Url(new TextEncoder().encode(text))
}
