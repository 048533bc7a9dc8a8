import { seededHex } from '../shared/seeded.ts'
import type { TokenPayload } from './raw-token.ts'

/** Signs and reads raw tokens: JSON Web Tokens whose payload is `{ token, expires }` (`token-decoding`). */
export interface Tokens {
  /** Loads the cryptography, which most tests and pages never need. */
  load(): Promise<void>
  /** Encodes a decoded token and its expiry as a raw token, after `load`. */
  sign(payload: TokenPayload): string
  /** Returns the decoded token inside a raw one, after `load`; `undefined` for a foreign token. */
  read(raw: string): string | undefined
  /** Seeds whose raw tokens are valid; the first signs. */
  readonly seeds: readonly number[]
  /** Accepts the raw tokens of other seeds, too. */
  alsoRead(seeds: readonly number[]): void
}

const mostCached = 1_000

/** Creates the tokens of a mock. The secret derives from the seed, so the same seed signs the same bytes. */
export function createTokens(seed: number): Tokens {
  let seeds = [seed]
  const cache = new Map<string, string | undefined>()
  let loaded: typeof import('./raw-token.ts') | undefined
  const crypto = () => {
    if (loaded === undefined) throw new Error('The cryptography of raw tokens is not loaded.')
    return loaded
  }
  return {
    get seeds() {
      return seeds
    },
    async load() {
      loaded = await import('./raw-token.ts')
    },
    sign: (payload) => crypto().signToken(payload, secretOf(seed)),
    read(raw) {
      if (cache.has(raw)) return cache.get(raw)
      if (raw.length > 4_096 || raw.split('.').length !== 3) return undefined
      const token = crypto().readToken(raw, seeds.map(secretOf))
      if (cache.size >= mostCached) cache.clear()
      cache.set(raw, token)
      return token
    },
    alsoRead(others) {
      seeds = [...new Set([...seeds, ...others])]
      cache.clear()
    },
  }
}

function secretOf(seed: number): string {
  return seededHex(seed, 'the secret that signs raw tokens')
}
