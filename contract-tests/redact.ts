/** What must never reach a report: keys, tokens and passwords, collected as they become known. */
export class Secrets {
  readonly #values = new Set<string>()

  add(value: unknown): void {
    if (typeof value === 'string' && value.length >= 3) this.#values.add(value)
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
    for (const value of [...this.#values].sort((one, other) => other.length - one.length)) {
      redacted = redacted.replaceAll(value, '***')
    }
    // Whatever looks like a JSON Web Token is one, known or not.
    return redacted.replaceAll(/eyJ[\w-]+\.[\w-]+\.[\w-]*/g, '***')
  }
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
  if (method !== 'GET') parts.push('-X', method)
  for (const [name, value] of Object.entries(headers)) {
    if (value !== '') parts.push('-H', quote(`${name}: ${value}`))
  }
  if (body !== undefined)
    parts.push('-H', quote('Content-Type: application/json'), '-d', quote(JSON.stringify(body)))
  parts.push(quote(`${base}${path}`))
  return secrets.redact(parts.join(' '))
}

function quote(text: string): string {
  return `'${text.replaceAll("'", `'\\''`)}'`
}
