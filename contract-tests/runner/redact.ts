import { replaceInText } from '../../src/shared/hide-in-text.ts'
import { KnownSecrets } from '../../src/shared/known-secrets.ts'
import { isSecretName } from '../../src/shared/secret-names.ts'
import { findPattern, webToken } from '../../src/shared/secret-patterns.ts'
import type { Span } from '../../src/shared/span.ts'

/** The variable of a secret that has no other. */
const unnamed = 'UNDERSTUDY_SECRET'

/** The variable of an invalid credential. A script sets it, unless its caller does. */
export const wrongCredential = 'UNDERSTUDY_WRONG_CREDENTIAL'

/** A secret in a text, with the variable that replaces it. */
interface FoundSecret extends Span {
  readonly label: string
}

/** Keys, tokens and passwords that must never reach a report. A run adds them when it learns them. */
export class Secrets {
  /** Every secret, with the environment variable that holds it in a reproduction. */
  readonly #known = new KnownSecrets<string>(3)

  constructor(values: Readonly<Record<string, unknown>> = {}) {
    for (const [variable, value] of Object.entries(values)) this.add(value, variable)
  }

  /** Adds a secret, and the name of the variable that replaces it. */
  add(value: unknown, variable = unnamed): void {
    if (typeof value !== 'string' || value.length < 3 || isFlag(value)) return
    // A specific variable replaces the general one, even a later one.
    const known = this.#known.get(value)
    if (known !== undefined && (known !== unnamed || variable === unnamed)) return
    for (const form of formsOf(value, variable)) this.#known.set(form, variable)
  }

  /** Adds every credential in a reply under the name of one, at any depth. */
  learn(value: unknown): void {
    if (typeof value !== 'object' || value === null) return
    for (const [key, inner] of Object.entries(value)) {
      if (isSecretName(key)) this.#learnAll(inner)
      else this.learn(inner)
    }
  }

  /** Adds every value whose key names a credential, because a target may use any form for it. */
  #learnAll(value: unknown): void {
    if (typeof value === 'object' && value !== null) {
      // A record with a credential has other attributes, too.
      if (Object.keys(value).some(isSecretName)) this.learn(value)
      else for (const inner of Object.values(value)) this.#learnAll(inner)
      return
    }
    const text = typeof value === 'number' ? String(value) : value
    // Shorter numbers are ids and times.
    if (typeof value === 'number' && String(value).length < shortestNumber) return
    // A raw token is a JSON Web Token; the others are those of schedules and of token lists.
    this.add(text, isWebToken(text) ? 'UNDERSTUDY_RAW_TOKEN' : unnamed)
  }

  /** Replaces every secret in a text, in each of its forms. */
  redact(text: string): string {
    return this.replace(text, () => '***')
  }

  /** Replaces every secret by the result of a function of its variable. */
  replace(text: string, replacement: (variable: string) => string): string {
    return replaceInText(
      text,
      (read) => this.#find(read),
      ({ label }) => replacement(label),
    )
  }

  #find(text: string): FoundSecret[] {
    const tokens = findPattern(text, webToken).map((span) => ({ ...span, label: 'UNDERSTUDY_RAW_TOKEN' }))
    return [...this.#known.findIn(text), ...tokens]
  }
}

/** Minimum number of digits of a number that counts as a credential. */
const shortestNumber = 6

/**
 * Returns the forms of a secret to search for: the secret, its form encoding, and, for a secret of the user, its Base64
 * form of `Authorization`. The search decodes escape sequences first.
 */
function formsOf(value: string, variable: string): string[] {
  const forms = [value, value.replaceAll(' ', '+')]
  // The pair of user and password is also secret without the word `Basic`.
  const basic = /^Basic (?<pair>\S+)$/.exec(value)?.groups?.pair
  if (basic !== undefined) {
    const pair = Buffer.from(basic, 'base64').toString()
    const password = pair.slice(pair.indexOf(':') + 1)
    return [...forms, basic, ...[pair, password].filter(({ length }) => length >= 3)]
  }
  const inBase64 = variable === unnamed ? [] : [base64(value), Buffer.from(value).toString('base64url')]
  return [...forms, ...inBase64]
}

/** Encodes a text as Base64, without padding. */
function base64(text: string): string {
  return Buffer.from(text)
    .toString('base64')
    .replace(/(?<!=)=+$/, '')
}

/** Returns whether a text is a flag, such as the value of `Access-Control-Allow-Credentials`. */
function isFlag(text: string): boolean {
  return /^(?:true|false|null|undefined)$/i.test(text)
}

function isWebToken(value: unknown): boolean {
  return typeof value === 'string' && /^eyJ[\w-]+\.[\w-]+\.[\w-]*$/.test(value)
}
