import { createHmac } from 'node:crypto'
import { findCredentials } from '../shared/find-credentials.ts'
import { hidden } from '../shared/hidden.ts'
import { replaceInText } from '../shared/hide-in-text.ts'
import { KnownSecrets } from '../shared/known-secrets.ts'
import { secretMembers } from '../shared/secret-members.ts'
import { isPlainValue, isSecretName } from '../shared/secret-names.ts'
import { findPattern } from '../shared/secret-patterns.ts'
import type { Span } from '../shared/span.ts'
import { isNested } from '../shared/values.ts'

/** Addresses of people. */
const address = /(?<![\w.+-])[\w.+-]+@[\w-]+\.[\w.-]*[\w-]/g
/** Texts that may be random. */
const longWord = /[\w+/=-]{16}[\w+/=-]*/g

interface FoundSecret extends Span {
  readonly value: string
}

/**
 * Replaces credentials and e-mail addresses by pseudonyms. One value has one pseudonym, wherever it occurs; it depends
 * on a secret, so that nobody can guess the value and try it.
 */
export class Pseudonyms {
  readonly #secret: string
  readonly #known = new KnownSecrets<true>()

  constructor(secret: string) {
    this.#secret = secret
  }

  of(value: string): string {
    if (value === '' || value === hidden) return value
    const hash = createHmac('sha256', this.#secret).update(value).digest('hex')
    return value.includes('@') ? `user-${hash.slice(0, 12)}@example.com` : `secret-${hash.slice(0, 24)}`
  }

  /** Adds a secret, which is then replaced in every text. */
  learn(value: string): void {
    if (!isPlainValue(value) && value !== hidden) this.#known.set(value, true)
  }

  /** Adds every secret of a JSON value that a name or a pattern shows. */
  learnAll(value: unknown): void {
    this.#walk(value, '', false, (secret) => {
      this.learn(secret)
      return secret
    })
  }

  /** Copies a JSON value with pseudonyms. */
  value<Value>(value: Value): Value {
    // The copy has the form of the original.
    return this.#walk(value, '', false, (secret) => this.of(secret)) as Value
  }

  text(text: string): string {
    return this.#replace(text, (secret) => this.of(secret))
  }

  #walk(value: unknown, name: string, isSecret: boolean, replace: (secret: string) => string): unknown {
    if (typeof value === 'string')
      return isSecret && !isFlag(value) ? replace(value) : this.#replace(value, replace)
    if (typeof value === 'number') return isSecretName(name) ? numberOf(replace(String(value)), value) : value
    if (!isNested(value)) return value
    const secrets = secretMembers(value)
    // A record that names a credential has other members besides.
    const isWhole = isSecret && (Array.isArray(value) || !Object.keys(value).some((key) => isSecretName(key)))
    const walk = (key: string, inner: unknown) => this.#walk(inner, key, isWhole || secrets.has(key), replace)
    if (Array.isArray(value)) return value.map((inner, index) => walk(String(index), inner))
    return Object.fromEntries(
      Object.entries(value).map(([key, inner]) => [this.#replace(key, replace), walk(key, inner)]),
    )
  }

  #replace(text: string, replace: (secret: string) => string): string {
    return replaceInText(
      text,
      (read) => this.#find(read),
      ({ value }) => replace(value),
    )
  }

  #find(text: string): FoundSecret[] {
    const random = findPattern(text, longWord).filter(({ start, end }) => isRandom(text.slice(start, end)))
    const spans = [...findCredentials(text, this.#known), ...findPattern(text, address), ...random]
    return spans.map((span) => ({ ...span, value: text.slice(span.start, span.end) }))
  }
}

/** Reports whether a long word changes between letters and digits as often as a random one. */
function isRandom(word: string): boolean {
  const changes = word.match(/[A-Za-z](?=\d)|\d(?=[A-Za-z])/g)?.length ?? 0
  // A path has words of its own.
  return changes >= (word.includes('/') ? 6 : 4)
}

/** Returns whether a text is no credential, whatever its name is. */
function isFlag(text: string): boolean {
  return /^(?:true|false|null)?$/.test(text)
}

/** Returns a number with as many digits, made from a pseudonym. */
function numberOf(pseudonym: string, value: number): number {
  const digits = Number.parseInt(pseudonym.slice(pseudonym.indexOf('-') + 1).slice(0, 12), 16)
  return Number.isNaN(digits) ? value : digits % 10 ** String(Math.trunc(value)).length
}
