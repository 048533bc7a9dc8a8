import { resources } from '../../resources/index.ts'
import type { Resource } from '../../resources/resource.ts'
import { hidden, isSecretHeader, isSecretName } from '../../wire/secrets.ts'

/** `"name": "value"` or `name=value`; bounded, so that no text makes it slow. */
const secretInText = /(["']?)\b([\w-]{1,40})\1(\s{0,9}[:=]\s{0,9})("[^"]*|[^\s&,;}"]+)/g

/** Takes credentials out of what is shown: those of the document, and what the table of resources says is secret. */
export class Redactor {
  readonly #names: ReadonlySet<string>
  /** What stands before a secret in a path, and the secret. */
  readonly #paths: readonly RegExp[]

  constructor(resources: readonly Resource[]) {
    this.#names = new Set(resources.flatMap(({ secrets = [] }) => secrets))
    const paths = resources.flatMap((resource) => this.#secretPaths(resource))
    this.#paths = [...new Set(paths)].map((path) => new RegExp(path, 'g'))
  }

  /** Takes credentials out of a path: those in the places of its parameters, and the keys of tables kept by a secret. */
  path(path: string): string {
    let shown = path
    for (const pattern of this.#paths) shown = shown.replace(pattern, `$1${hidden}`)
    return shown
  }

  /** Takes credentials out of a URL: those of its path, and keys in the query, however they are spelled. */
  url(url: string): string {
    const [path = '', ...rest] = this.path(url).split('?')
    if (rest.length === 0) return path
    const parameters = rest
      .join('?')
      .split('&')
      .map((parameter) => {
        const [name = ''] = parameter.split('=', 1)
        return this.#isSecret(decodeName(name)) ? `${name}=${hidden}` : parameter
      })
    return `${path}?${parameters.join('&')}`
  }

  /** Copies headers without credentials; a header given several times is joined. */
  headers(
    headers: Readonly<Record<string, string | readonly string[] | undefined>> = {},
  ): Record<string, string> {
    const entries = Object.entries(headers).filter(([, value]) => value !== undefined)
    return Object.fromEntries(
      entries.map(([name, value]) => [name, isSecretHeader(name) ? hidden : this.url(String(value))]),
    )
  }

  /** Copies a JSON value without credentials, at any depth: texts stay texts, and all else what it is. */
  value<Value>(value: Value): Value {
    return this.#copy(value) as Value
  }

  #copy(value: unknown): unknown {
    if (typeof value === 'string') return this.path(value)
    if (Array.isArray(value)) return value.map((inner) => this.#copy(inner))
    if (typeof value !== 'object' || value === null) return value
    return Object.fromEntries(
      Object.entries(value).map(([name, inner]) => [
        name,
        this.#isSecret(name) && inner !== null ? hidden : this.#copy(inner),
      ]),
    )
  }

  /** Takes credentials out of a text that ought to be JSON and is not. */
  text(text: string): string {
    return text.replace(secretInText, (whole, quote: string, name: string, between: string) =>
      this.#isSecret(name) ? `${quote}${name}${quote}${between}${hidden}` : whole,
    )
  }

  #isSecret(name: string): boolean {
    return isSecretName(name) || this.#names.has(name)
  }

  /** The beginnings of paths that lead to a secret of a resource, as patterns. */
  #secretPaths({ plural, key, stored, operations, secrets = [] }: Resource): string[] {
    const byKey = stored !== false && secrets.includes(key) ? [`(/${plural}/)[^/?#"]+`] : []
    const byParameter = operations
      .flatMap(({ routes }) => routes)
      .flatMap(({ path }) => {
        const segments = path.split('/').slice(2)
        return segments.flatMap((segment, index) => {
          if (!segment.startsWith(':') || !this.#names.has(segment.slice(1))) return []
          const before = segments.slice(0, index).map((each) => (each.startsWith(':') ? '[^/?#]*' : each))
          return [`(/${before.join('/')}/)[^/?#"]+`]
        })
      })
    return [...byParameter, ...byKey]
  }
}

/** The redactor of the documented resources, for what is shown apart from any world. */
export const documentedRedactor = new Redactor(resources)

function decodeName(name: string): string {
  try {
    return decodeURIComponent(name.replaceAll('+', ' '))
  } catch {
    return name
  }
}
