import { replaceInText } from '../../src/shared/hide-in-text.ts'
import { KnownSecrets } from '../../src/shared/known-secrets.ts'
import { isSecretName } from '../../src/shared/secret-names.ts'
import type { Span } from '../../src/shared/span.ts'

/** The variable of a secret that has no other. */
const unnamed = 'UNDERSTUDY_SECRET'

/** The variable of a credential that is wrong on purpose; a script sets it, unless it is given. */
export const wrongCredential = 'UNDERSTUDY_WRONG_CREDENTIAL'

/** A JSON Web Token, known or not. */
const webToken = /eyJ[\w-]+\.[\w-]+\.[\w-]*/g

/** A secret in a text, with the variable that stands for it. */
interface FoundSecret extends Span {
  readonly label: string
}

/** What must never reach a report: keys, tokens and passwords, collected as they become known. */
export class Secrets {
  /** Every secret, with the environment variable that holds it in a reproduction. */
  readonly #known = new KnownSecrets<string>(3)

  constructor(values: Readonly<Record<string, unknown>> = {}) {
    for (const [variable, value] of Object.entries(values)) this.add(value, variable)
  }

  /** Adds a secret, and the name of the variable that stands for it. */
  add(value: unknown, variable = unnamed): void {
    if (typeof value !== 'string' || value.length < 3 || isFlag(value)) return
    // A name says more than none, whenever it becomes known.
    const known = this.#known.get(value)
    if (known !== undefined && (known !== unnamed || variable === unnamed)) return
    for (const form of formsOf(value, variable)) this.#known.set(form, variable)
  }

  /** Adds every credential that a reply carries under a name of one, at whatever depth. */
  learn(value: unknown): void {
    if (typeof value !== 'object' || value === null) return
    for (const [key, inner] of Object.entries(value)) {
      if (isSecretName(key)) this.#learnAll(inner)
      else this.learn(inner)
    }
  }

  /** Adds everything that stands under the name of a credential: a target may give it in a form of its own. */
  #learnAll(value: unknown): void {
    if (typeof value === 'object' && value !== null) {
      // A record that carries a credential says other trackedRecords besides.
      if (Object.keys(value).some(isSecretName)) this.learn(value)
      else for (const inner of Object.values(value)) this.#learnAll(inner)
      return
    }
    const text = typeof value === 'number' ? String(value) : value
    // Shorter numbers are ids, and times that something ends.
    if (typeof value === 'number' && String(value).length < shortestNumber) return
    // A raw token is a JSON Web Token; the others are those of schedules and of token lists.
    this.add(text, isWebToken(text) ? 'UNDERSTUDY_RAW_TOKEN' : unnamed)
  }

  /** Replaces every secret in a text, however it is written there. */
  redact(text: string): string {
    return this.replace(text, () => '***')
  }

  /** Replaces every secret by something else, by the name of its variable. */
  replace(text: string, replacement: (variable: string) => string): string {
    return replaceInText(
      text,
      (read) => this.#find(read),
      ({ label }) => replacement(label),
    )
  }

  #find(text: string): FoundSecret[] {
    const tokens = Array.from(text.matchAll(webToken), ({ 0: token, index }) => {
      return { start: index, end: index + token.length, label: 'UNDERSTUDY_RAW_TOKEN' }
    })
    return [...this.#known.findIn(text), ...tokens]
  }
}

/** How many digits a number under the name of a credential has that is one. */
const shortestNumber = 6

/**
 * What is looked for where a secret is: itself, as a form joins its words, and, of one that was given, in Base 64, which is how
 * `Authorization` carries it. What codes write is read before it is looked for.
 */
function formsOf(value: string, variable: string): string[] {
  const forms = [value, value.replaceAll(' ', '+')]
  // A user and a password are as secret without the word that says how they are written.
  const basic = /^Basic (?<pair>\S+)$/.exec(value)?.groups?.pair
  if (basic !== undefined) {
    const pair = Buffer.from(basic, 'base64').toString()
    const password = pair.slice(pair.indexOf(':') + 1)
    return [...forms, basic, ...[pair, password].filter(({ length }) => length >= 3)]
  }
  const inBase64 = variable === unnamed ? [] : [base64(value), Buffer.from(value).toString('base64url')]
  return [...forms, ...inBase64]
}

/** A text in Base 64, without what fills it up. */
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
