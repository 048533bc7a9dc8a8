/** What must never reach a report: keys, tokens and passwords, collected as they become known. */
export class Secrets {
  /** Every secret, and every form of one. */
  readonly #values = new Set<string>()
  readonly #added = new Set<string>()
  /** The values, longest first: a secret may be part of another. Made when it is needed. */
  #longestFirst: readonly string[] | undefined

  constructor(values: readonly unknown[] = []) {
    for (const value of values) this.add(value)
  }

  add(value: unknown): void {
    if (typeof value !== 'string' || value.length < 3 || this.#added.has(value)) return
    this.#added.add(value)
    // A reply may show a secret as it stood in a URL, a form or a JSON text.
    const forms = [value, encodeURIComponent(value), encodeForm(value), JSON.stringify(value).slice(1, -1)]
    for (const form of forms) this.#values.add(form)
    this.#longestFirst = undefined
  }

  /** Adds every token that a reply carries, at whatever depth. */
  learn(value: unknown): void {
    if (typeof value !== 'object' || value === null) return
    for (const [key, inner] of Object.entries(value)) {
      if (key === 'token' || key.endsWith('_token')) this.add(inner)
      else this.learn(inner)
    }
  }

  /** Replaces every secret in a text. */
  redact(text: string): string {
    let redacted = text
    this.#longestFirst ??= [...this.#values].sort((one, other) => other.length - one.length)
    for (const value of this.#longestFirst) {
      redacted = redacted.replaceAll(value, '***')
    }
    // Whatever looks like a JSON Web Token is one, known or not.
    return redacted.replaceAll(/eyJ[\w-]+\.[\w-]+\.[\w-]*/g, '***')
  }
}

function encodeForm(value: string): string {
  return new URLSearchParams({ value }).toString().slice('value='.length)
}

/** Writes a request as a curl command, secrets replaced. */
export function curlLine(
  base: string,
  method: string,
  path: string,
  headers: Readonly<Record<string, string>>,
  body: unknown,
  secrets: Secrets,
): string {
  const parts = ['curl', '-s']
  // Redacted before it is quoted: quoting would take a secret with an apostrophe apart.
  const safely = (text: string) => quote(secrets.redact(text))
  if (method !== 'GET') parts.push('-X', method)
  for (const [name, value] of Object.entries(headers)) {
    if (value !== '') parts.push('-H', safely(`${name}: ${value}`))
  }
  if (body !== undefined)
    parts.push('-H', quote('Content-Type: application/json'), '-d', safely(JSON.stringify(body)))
  parts.push(safely(`${base}${path}`))
  return parts.join(' ')
}

function quote(text: string): string {
  return `'${text.replaceAll("'", `'\\''`)}'`
}
