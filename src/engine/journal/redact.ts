import { resources } from '../../resources/index.ts'
import type { Resource } from '../../resources/resource.ts'
import { hidden, isSecretHeader, isSecretName } from '../../wire/secrets.ts'

// Each bounded, so that no text makes it slow.
/** `"name": "value"` or `name=value`, where the name may be nested: `session[password]`. */
const pairInText = /(["']?)\b(\w[\w.%[\]-]{0,80})\1(\s{0,9}[:=]\s{0,9})("[^"]*|[^\s&,;}"]+)/g
/** `?name=value`, `&name=value`, or a text that begins so: what a URL or a form says. */
const parameterInText = /(^|[?&;])(\w[\w.%[\]-]{0,80})=([^&;\s"'<>#]+)/g
/** What stands between `//` and `@` in a URL. */
const userInfo = /(:\/\/)[^\s/?#@"'<>]{1,400}@/g
/** A part of a form: its name, and what stands below its head. */
const partOfForm =
  /(\bname=(?:"([^"\r\n]{1,80})"|([\w.[\]-]{1,80}))(?:;[^\r\n]{0,200})?(?:\r?\n[^\r\n]{1,200}){0,4}\r?\n\r?\n)([\s\S]*?)(?=\r?\n--|$)/g

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

  /** Takes credentials out of a URL, or a text that is or has one: those of its path, of its user, and of its query. */
  url(url: string): string {
    const shown = this.path(url)
    // Most texts have none of these.
    if (!shown.includes('=') && !shown.includes('@')) return shown
    return shown
      .replace(userInfo, `$1${hidden}@`)
      .replace(parameterInText, (whole, before: string, name: string) =>
        this.#isSecret(decodeName(name)) ? `${before}${name}=${hidden}` : whole,
      )
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
    if (typeof value === 'string') return this.url(value)
    if (Array.isArray(value)) return value.map((inner) => this.#copy(inner))
    if (typeof value !== 'object' || value === null) return value
    // A pair that is written out: `{ name: 'password', value: '…' }`.
    const isPair = 'value' in value && 'name' in value && this.#isSecret(String(value.name))
    return Object.fromEntries(
      Object.entries(value).map(([name, inner]) => {
        const isSecret = this.#isSecret(name) || (isPair && name === 'value')
        return [name, isSecret && inner !== null ? hidden : this.#copy(inner)]
      }),
    )
  }

  /** Takes credentials out of a text that ought to be JSON and is not. */
  text(text: string): string {
    return this.url(text)
      .replace(partOfForm, (whole, head: string, quoted: string | undefined, bare: string | undefined) =>
        this.#isSecret(quoted ?? bare ?? '') ? `${head}${hidden}` : whole,
      )
      .replace(pairInText, (whole, quote: string, name: string, between: string) =>
        this.#isSecret(decodeName(name)) ? `${quote}${name}${quote}${between}${hidden}` : whole,
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
