import { seededHex } from '../wire/seeded.ts'

/** Signs and reads raw tokens: JSON Web Tokens whose payload is `{ token, expires }` (`token-decoding`). */
export interface Tokens {
  /** Turns a decoded token and its expiry, in seconds since the epoch, into a raw token. */
  sign(payload: { token: string; expires: number }): Promise<string>
  /** The decoded token inside a raw one; `undefined` where it is not one of ours. A promise at first sight of it. */
  read(raw: string): string | undefined | Promise<string | undefined>
}

/** The most raw tokens whose decoded form is remembered. */
const mostRemembered = 1_000

/** Creates the tokens of an understudy; its secret follows from the seed, so that the same seed signs the same bytes. */
export function createTokens(seed: number): Tokens {
  const secret = new TextEncoder().encode(seededHex(seed, 'the secret that signs raw tokens'))
  const remembered = new Map<string, string | undefined>()
  const remember = (raw: string, token: string | undefined) => {
    if (remembered.size >= mostRemembered) remembered.clear()
    remembered.set(raw, token)
    return token
  }
  return {
    async sign(payload) {
      // Loaded when first needed: most tests never sign in.
      const { SignJWT } = await import('jose/jwt/sign')
      return new SignJWT(payload).setProtectedHeader({ alg: 'HS256', typ: 'JWT' }).sign(secret)
    },
    read(raw) {
      if (remembered.has(raw)) return remembered.get(raw)
      if (raw.length > 4_096 || raw.split('.').length !== 3) return undefined
      return import('jose/jwt/verify')
        .then(({ jwtVerify }) => jwtVerify<{ token?: unknown }>(raw, secret, { algorithms: ['HS256'] }))
        .then(({ payload }) => remember(raw, typeof payload.token === 'string' ? payload.token : undefined))
        .catch(() => remember(raw, undefined))
    },
  }
}
