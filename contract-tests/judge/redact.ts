import { isSecretName } from '../../src/shared/secrets.ts'
import { type Reading, readingsOf } from './readings.ts'

/** The variable of a secret that has no other. */
const unnamed = 'UNDERSTUDY_SECRET'

/** Whatever looks like a JSON Web Token is one, known or not. */
const webToken = /eyJ[\w-]+\.[\w-]+\.[\w-]*/g

/** A stretch of a text that a secret takes. */
interface Taken {
  readonly start: number
  readonly end: number
  readonly variable: string
}

/** What must never reach a report: keys, tokens and passwords, collected as they become known. */
export class Secrets {
  /** Every secret as it reads, with the environment variable that holds it in a reproduction. */
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
    for (const form of formsOf(value, variable)) this.#values.set(form, variable)
    this.#longestFirst = undefined
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
      // A record that carries a credential says other things besides.
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

  /** Puts something else in place of every secret, by the name of its variable. */
  replace(text: string, instead: (variable: string) => string): string {
    const taken: Taken[] = []
    for (const reading of readingsOf(text)) this.#find(reading, taken)
    if (taken.length === 0) return text
    let replaced = ''
    let end = 0
    for (const { start, end: next, variable } of joined(taken)) {
      replaced += text.slice(end, start) + instead(variable)
      end = next
    }
    return replaced + text.slice(end)
  }

  #find({ text, starts }: Reading, taken: Taken[]): void {
    const take = (index: number, length: number, variable: string) => {
      const end = index + length
      taken.push({ start: starts?.[index] ?? index, end: starts?.[end] ?? end, variable })
    }
    this.#longestFirst ??= [...this.#values.keys()].sort((one, other) => other.length - one.length)
    for (const value of this.#longestFirst) {
      for (let at = text.indexOf(value); at >= 0; at = text.indexOf(value, at + value.length))
        take(at, value.length, this.#values.get(value) ?? unnamed)
    }
    for (const { 0: token, index } of text.matchAll(webToken))
      take(index, token.length, 'UNDERSTUDY_RAW_TOKEN')
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
  return Buffer.from(text).toString('base64').replace(/=+$/, '')
}

/** What is taken in order; of what overlaps, the longest says by what it is replaced, and all of it is. */
function joined(taken: readonly Taken[]): Taken[] {
  const inOrder = taken.toSorted((one, other) => one.start - other.start || other.end - one.end)
  const result: Taken[] = []
  for (const next of inOrder) {
    const last = result.at(-1)
    if (last === undefined || next.start >= last.end) result.push(next)
    else if (next.end > last.end) result[result.length - 1] = { ...last, end: next.end }
  }
  return result
}

function isWebToken(value: unknown): boolean {
  return typeof value === 'string' && /^eyJ[\w-]+\.[\w-]+\.[\w-]*$/.test(value)
}
