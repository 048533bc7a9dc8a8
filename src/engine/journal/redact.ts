import type { Resource } from '../../resources/resource.ts'
import { anyOf } from '../../shared/any-of.ts'
import { hidden } from '../../shared/hidden.ts'
import * as limits from '../../shared/limits.ts'
import { hideNamed } from '../../shared/named-secrets.ts'
import { decodeName, encodeValue, holdsSecret, isSecretHeader, isSecretName } from '../../shared/secrets.ts'

// Each bounded, so that no text makes it slow.
/** A value of a URL or a form, or a word of a text, which may be encoded. */
const encodedWord = /[^&;\s"'<>#=/?]+/g
/** A user with a password. */
const userInfo = anyOf('gi', [
  // between `//` and the last `@` before a URL's path
  /(?<=\/\/)[^\s/?#"'<>]{1,400}(?=@)/,
  // behind a scheme alone: `smtp:user:word@host`
  /(?<=\b[a-z][a-z\d+.-]{1,20}:)[^\s/?#"'<>:@]{1,99}:[^\s/?#"'<>]{1,300}(?=@)/,
  // behind a flag of curl
  /(?<=\bcurl\s(?:[^\r\n|;]{0,400}\s)?(?:-u\s?|--(?:proxy-)?user[\s=])["']?)[^\s"':]{1,99}:(?:[^\s"']|(?<=["'][^"']{1,300})\s){1,300}/,
])
/** How deep a text may stand in another that is still looked into. */
const deepest = 4

/** Takes credentials out of what is shown: those of the document, and what the table of resources says is secret. */
export class Redactor {
  readonly #names: ReadonlySet<string>
  readonly #isSecret = (name: string) => isSecretName(name) || this.#names.has(name)
  /** The secrets in paths. */
  readonly #paths: RegExp

  constructor(resources: readonly Resource[]) {
    this.#names = new Set(resources.flatMap(({ secrets = [] }) => secrets))
    const paths = resources.flatMap((resource) => this.#secretPaths(resource))
    this.#paths = new RegExp(paths.join('|') || '(?!)', 'gi')
  }

  /**
   * Takes credentials out of a path: those in the places of its parameters, and the keys of tables kept by a secret; also
   * where it misses its route by letter case, slashes, encoding or another action.
   */
  path(path: string): string {
    const shown = path.replace(this.#paths, hidden)
    const plain = decodeName(shown).replaceAll(/\/{2,}/g, '/')
    if (plain === shown) return shown
    const plainShown = plain.replace(this.#paths, hidden)
    return plainShown === plain ? shown : plainShown
  }

  /** Takes credentials out of a text that stands in something else: it may be JSON, a form or a URL itself. */
  #within(text: string, depth: number): string {
    try {
      if (/^\s*[[{"]/.test(text) && depth < deepest && text.length < limits.journalBody) {
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
    return this.#copy(value, 0) as Value // Only texts are others.
  }

  /** Whether something names what stands beside it; no sentence does. */
  #isNameOfSecret(value: unknown): boolean {
    return typeof value === 'string' && value.length < 100 && !/\s\S+\s/.test(value) && this.#isSecret(value)
  }

  #copy(value: unknown, depth: number): unknown {
    if (typeof value === 'string') return this.#within(value, depth + 1)
    if (Array.isArray(value)) {
      const isPair = value.length === 2 && this.#isNameOfSecret(value[0])
      return value.map((inner, index) => (isPair && index > 0 ? hidden : this.#copy(inner, depth)))
    }
    if (typeof value !== 'object' || value === null) return value
    const entries = Object.entries(value)
    return Object.fromEntries(
      entries.map(([name, inner]) => {
        const isSecret =
          holdsSecret(name, inner, this.#isSecret) ||
          // A pair that is written out: `{ name: 'password', value: '…' }`, whatever the place of the name is called.
          (/^value$/i.test(name) && entries.some(([, each]) => each !== inner && this.#isNameOfSecret(each)))
        return [name, isSecret && inner !== null ? hidden : this.#copy(inner, depth)]
      }),
    )
  }

  /**
   * Takes credentials out of a text that is no JSON: a URL, a form, or whatever joins values to names. Those of its path,
   * of its user, and of its names.
   */
  text(text: string, depth = 0): string {
    return hideNamed(
      this.path(text)
        .replace(userInfo, hidden)
        .replace(encodedWord, (word) => {
          const decoded = decodeName(word)
          if (depth >= deepest || decoded === word) return word
          const inner = this.#within(decoded, depth + 1)
          return inner === decoded ? word : encodeValue(inner)
        }),
      this.#isSecret,
    )
  }

  /** The secrets in the paths of a resource, as patterns. */
  #secretPaths({ plural, key, operations }: Resource): string[] {
    const paths = operations.flatMap(({ routes }) => routes.map(({ path }) => path))
    paths.push(`/api/${plural}/:${key}`)
    return paths.flatMap((path) =>
      [...path.matchAll(/:(\w+)/g)]
        .filter(([, name]) => this.#names.has(String(name)))
        .map(({ index }) => {
          // The first segment alone has to be as it is.
          const before = path.slice('/api'.length, index).replaceAll(/(?<=.\/)[^/]+/g, '[^/?#\\s"\'<>]*')
          return `(?<=${before})[^/?#"]+`
        }),
    )
  }
}
