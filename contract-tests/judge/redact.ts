import { isSecretName } from '../../src/wire/secrets.ts'
import { spelledEnd } from './plain-address.ts'

/** The variable of a secret that has no other. */
const unnamed = 'UNDERSTUDY_SECRET'

/** What must never reach a report: keys, tokens and passwords, collected as they become known. */
export class Secrets {
  /** Every secret in every form, with the environment variable that holds it in a reproduction. */
  readonly #values = new Map<string, string>()
  /** The values, longest first: a secret may be part of another. Made when it is needed. */
  #longestFirst: readonly string[] | undefined

  constructor(values: Readonly<Record<string, unknown>> = {}) {
    for (const [variable, value] of Object.entries(values)) this.add(value, variable)
  }

  /** Adds a secret, and the name of the variable that stands for it. */
  add(value: unknown, variable = unnamed): void {
    if (typeof value !== 'string' || value.length < 3) return
    // A name says more than none, whenever it becomes known.
    const known = this.#values.get(value)
    if (known !== undefined && (known !== unnamed || variable === unnamed)) return
    // A reply may show a secret as it stood in a URL, a form or a JSON text.
    const forms = [
      value,
      encodeURIComponent(value),
      encodeForm(value),
      JSON.stringify(value).slice(1, -1),
      // As the judge writes a token of a path by turns.
      spelledEnd(value),
    ]
    for (const form of forms) this.#values.set(form, variable)
    this.#longestFirst = undefined
  }

  /** Adds every credential that a reply carries under a name of one, at whatever depth. */
  learn(value: unknown): void {
    if (typeof value !== 'object' || value === null) return
    for (const [key, inner] of Object.entries(value)) {
      if (typeof inner === 'object') this.learn(inner)
      // A raw token is a JSON Web Token; the others are those of schedules and of token lists.
      else if (isSecretName(key)) this.add(inner, isWebToken(inner) ? 'UNDERSTUDY_RAW_TOKEN' : unnamed)
    }
  }

  /** Replaces every secret in a text. */
  redact(text: string): string {
    return this.replace(text, () => '***')
  }

  /** Puts something else in place of every secret, by the name of its variable. */
  replace(text: string, instead: (variable: string) => string): string {
    let replaced = text
    this.#longestFirst ??= [...this.#values.keys()].sort((one, other) => other.length - one.length)
    for (const value of this.#longestFirst) {
      if (replaced.includes(value))
        replaced = replaced.replaceAll(value, () => instead(this.#values.get(value) ?? unnamed))
    }
    // Whatever looks like a JSON Web Token is one, known or not.
    return replaced.replaceAll(/eyJ[\w-]+\.[\w-]+\.[\w-]*/g, () => instead('UNDERSTUDY_RAW_TOKEN'))
  }
}

function encodeForm(value: string): string {
  return new URLSearchParams({ value }).toString().slice('value='.length)
}

function isWebToken(value: unknown): boolean {
  return typeof value === 'string' && /^eyJ[\w-]+\.[\w-]+\.[\w-]*$/.test(value)
}
