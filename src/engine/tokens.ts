import { seededHex } from '../shared/seeded.ts'
import type { TokenPayload } from './raw-token.ts'

/** Signs and reads raw tokens: JSON Web Tokens whose payload is `{ token, expires }` (`token-decoding`). */
export interface Tokens {
  /** Turns a decoded token and its expiry into a raw token. */
  sign(payload: TokenPayload): Promise<string>
  /** The decoded token inside a raw one; `undefined` where it is not one of ours. A promise at first sight of it. */
  read(raw: string): string | undefined | Promise<string | undefined>
  /** Knows the raw tokens of another seed, too. */
  alsoRead(seed: number): void
}

/** The most raw tokens whose decoded form is remembered. */
const mostRemembered = 1_000

/** What signs and checks, loaded when first needed: most tests and pages never sign in. */
const signing = () => import('./raw-token.ts')

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
    sign: async (payload) => (await signing()).signToken(payload, secret),
    read(raw) {
      if (remembered.has(raw)) return remembered.get(raw)
      if (raw.length > 4_096 || raw.split('.').length !== 3) return undefined
      return signing().then(({ readToken }) => remember(raw, readToken(raw, secrets)))
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
