import type { Resource } from '../../resources/resource.ts'
import * as limits from '../../wire/limits.ts'
import { hidden, isSecretHeader, isSecretName } from '../../wire/secrets.ts'

// Each bounded, so that no text makes it slow.
/**
 * `"name": "value"` or `name=value`, where the name may be nested: `session[password]`; also within another text. What
 * follows `Bearer` or `Basic` belongs to the value.
 */
const pairInText =
  /(\\{0,9}["']|)\b(\w[\w.%[\]-]{0,80})\1(\s{0,9}[:=]\s{0,9})("(?:[^"\\]|\\.)*|\\+"[^"\\]*|'(?:[^'\\]|\\.)*|(?:B\w{4,5}\s)?[^\s&,;}"]+)/gs
/** `?name=value`, `&name=value`, `#name=value`, or a text that begins so: what a URL or a form says. */
const parameterInText = /(^|[?&;#])(\w[\w.%[\]-]{0,80})=([^&;\s"'<>#]+)/g
/** What stands between `//` and the last `@` before a URL's path. */
const userInfo = /(:\/\/)[^\s/?#"'<>]{1,400}@/g
/** A part of a form: its name, and what stands below its head. */
const partOfForm =
  /(\bname="?([^"\r\n;]{1,80})"?(?:;[^\r\n]{0,200})?(?:\r?\n[^\r\n]{1,200}){0,4}\r?\n\r?\n).*?(?=\r?\n--|$)/gs

/** How deep a text may stand in another that is still looked into. */
const deepest = 4

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
  url(url: string, depth = 0): string {
    return this.path(url)
      .replace(userInfo, `$1${hidden}@`)
      .replace(parameterInText, (whole, before: string, name: string, value: string) => {
        if (this.#isSecret(name)) return `${before}${name}=${hidden}`
        if (depth >= deepest) return whole
        const decoded = decodeName(value)
        const inner = this.#within(decoded, depth + 1)
        return inner === decoded ? whole : `${before}${name}=${encodeURIComponent(inner)}`
      })
  }

  /** Takes credentials out of a text that stands in something else: it may be JSON, a form or a URL itself. */
  #within(text: string, depth: number): string {
    if (!/^\s*[[{"]/.test(text)) return this.url(text, depth)
    try {
      if (depth < deepest && text.length < limits.journalBody) {
        const value = JSON.parse(text)
        const shown = JSON.stringify(this.#copy(value, depth))
        return shown === JSON.stringify(value) ? text : shown
      }
    } catch {}
    return this.text(text, depth)
  }

  /** Copies headers without credentials; a header given several times is joined. */
  headers(
    headers: Readonly<Record<string, string | readonly string[] | undefined>> = {},
  ): Record<string, string> {
    return Object.fromEntries(
      Object.entries(headers).flatMap(([name, value]) =>
        value === undefined ? [] : [[name, isSecretHeader(name) ? hidden : this.#within(String(value), 0)]],
      ),
    )
  }

  /** Copies a JSON value without credentials, at any depth: texts stay texts, and all else what it is. */
  value<Value>(value: Value): Value {
    return this.#copy(value, 0) as Value
  }

  #copy(value: unknown, depth: number): unknown {
    if (typeof value === 'string') return this.#within(value, depth + 1)
    if (Array.isArray(value)) return value.map((inner) => this.#copy(inner, depth))
    if (typeof value !== 'object' || value === null) return value
    // A pair that is written out: `{ name: 'password', value: '…' }`, or `key` for `name`.
    const { name, key } = value as Record<string, unknown>
    const isPair = 'value' in value && (this.#isSecret(String(name)) || this.#isSecret(String(key)))
    return Object.fromEntries(
      Object.entries(value).map(([name, inner]) => {
        const isSecret = this.#isSecret(name) || (isPair && name === 'value')
        return [name, isSecret && inner !== null ? hidden : this.#copy(inner, depth)]
      }),
    )
  }

  /** Takes credentials out of a text that ought to be JSON and is not. */
  text(text: string, depth = 0): string {
    return this.#pairs(
      this.url(text, depth).replace(partOfForm, (whole, head: string, name: string) =>
        this.#isSecret(name) ? head + hidden : whole,
      ),
    )
  }

  #pairs(text: string): string {
    return text.replace(pairInText, (whole, _quote, name: string, _between, value: string) => {
      // What is quoted may have pairs of its own.
      const inner = /^["']/.test(value) ? value[0] + this.#pairs(value.slice(1)) : value
      return whole.slice(0, -value.length) + (this.#isSecret(name) ? hidden : inner)
    })
  }

  #isSecret(name: string): boolean {
    return isSecretName(decodeName(name)) || this.#names.has(name)
  }

  /** The beginnings of paths that lead to a secret of a resource, as patterns. */
  #secretPaths({ plural, key, stored, operations }: Resource): string[] {
    const paths = operations.flatMap(({ routes }) => routes.map(({ path }) => path))
    if (stored !== false) paths.push(`/api/${plural}/:${key}`)
    return paths.flatMap((path) =>
      [...path.matchAll(/:(\w+)/g)]
        .filter(([, name]) => this.#names.has(name!))
        .map(({ index }) => {
          const before = path.slice('/api'.length, index).replaceAll(/:\w+/g, '[^/?#]*')
          return `(${before})[^/?#"]+`
        }),
    )
  }
}

function decodeName(name: string): string {
  try {
    return decodeURIComponent(name.replaceAll('+', ' '))
  } catch {
    return name
  }
}
