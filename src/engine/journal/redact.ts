import type { Resource } from '../../resources/resource.ts'
import { findCredentials } from '../../shared/find-credentials.ts'
import { hidden } from '../../shared/hidden.ts'
import { findAtAnyDepth, replaceInText } from '../../shared/hide-in-text.ts'
import { splitUrl } from '../../shared/http.ts'
import { KnownSecrets } from '../../shared/known-secrets.ts'
import { isNameOfSecret, isValueName, secretMembers } from '../../shared/secret-members.ts'
import { isCredential, isSecretHeader, isSecretName } from '../../shared/secret-names.ts'
import { findSecretPatterns } from '../../shared/secret-patterns.ts'
import { joinSpans, replaceSpans, type Span } from '../../shared/span.ts'
import { isNested, isObject } from '../../shared/values.ts'

/** An HTML escape. Its `&` does not separate the pairs of a form. */
const htmlEscape = /&(?:#x?[\da-f]{1,7}|[a-z]{2,7});/i

/**
 * Hides credentials in output: by the names of headers, members and parameters, by their position in a path,
 * by the values of a fixture, and in free text behind secret names.
 */
export class Redactor {
  readonly #names: ReadonlySet<string>
  readonly #plurals: ReadonlySet<string>
  /** Places of secrets in paths, counted in segments from the segment of this name; true if the secret ends its route. */
  readonly #offsets = new Map<string, Map<number, boolean>>()
  readonly #listKnown: () => Iterable<string>
  #known: KnownSecrets<true> | undefined
  readonly #isSecret = (name: string) => this.#names.has(name) || isSecretName(name)
  readonly #find = (text: string): Span[] => findCredentials(text, this.#knownSecrets(), this.#isSecret)

  /**
   * @param listKnown lists the secrets of a fixture; called for the first text.
   */
  constructor(resources: readonly Resource[], listKnown: () => Iterable<string> = () => []) {
    this.#names = new Set(resources.flatMap(({ secrets = [] }) => secrets))
    this.#plurals = new Set(resources.map(({ plural }) => plural))
    this.#listKnown = listKnown
    for (const resource of resources) this.#addPositions(resource)
  }

  /** Copies headers without credentials, and joins repeated headers. */
  headers(
    headers: Readonly<Record<string, string | readonly string[] | undefined>> = {},
  ): Record<string, string> {
    const sent = Object.entries(headers).filter(([, value]) => value !== undefined)
    return Object.fromEntries(sent.map(([name, value]) => [name, this.#header(name, String(value))]))
  }

  /** Copies a JSON value without credentials, at any depth. The types of the values do not change. */
  value<Value>(value: Value): Value {
    return this.#copy(value) as Value // Only strings are others.
  }

  /** Hides credentials in a text: a URL, a form, or free text. */
  text(text: string): string {
    if (!/[\s"'<>]/.test(text)) {
      if (/^[a-z][a-z\d+.-]*:\/\/|^\/(?!\/)/i.test(text)) return this.url(text)
      if (text.includes('=') && !htmlEscape.test(text)) return this.#form(text)
    }
    return this.#freeText(text)
  }

  /** Hides credentials in a URL, which is split as the engine splits it. */
  url(given: string): string {
    // The host and the path of a webhook make it a credential.
    const url = replaceSpans(given, joinSpans(findSecretPatterns(given)), () => hidden)
    const pathStart = url.startsWith('/') ? 0 : url.indexOf('/', url.indexOf('://') + 3)
    if (pathStart === -1) return this.#freeText(url)
    const { path, search } = splitUrl(url)
    const searchStart = pathStart + path.length
    const hashStart = searchStart + (url[searchStart] === '?' ? search.length + 1 : 0)
    return [
      this.#freeText(url.slice(0, pathStart)),
      this.path(path),
      url.slice(searchStart, searchStart + 1) === '?' ? `?${this.#form(search)}` : '',
      hashStart < url.length ? `#${this.#form(url.slice(hashStart + 1))}` : '',
    ].join('')
  }

  /** Hides credentials in a path, by the position of secret parameters and in the text of its segments. */
  path(path: string): string {
    const spans = this.#secretSegments(path)
    if (spans.length > 0 || !/%2f/i.test(path)) return this.#hideParts(path, '/', spans)
    const plain = path.replaceAll(/%2f/gi, '/')
    const plainSpans = this.#secretSegments(plain)
    return plainSpans.length > 0 ? this.#hideParts(plain, '/', plainSpans) : this.#hideParts(path, '/', [])
  }

  #secretSegments(path: string): Span[] {
    const spans: Span[] = []
    const places = new Map<number, boolean>()
    // Encoded slashes must not become separators.
    const names = decodePercent(path.replaceAll(/%(?=2f)/gi, '%25'))
      .toLowerCase()
      .split('/')
    let place = -1
    let start = 0
    let previous = ''
    const isRoute = path.startsWith('/api/')
    // A secret at the end of a route may contain slashes, and a path that misses the route may shift it.
    let isRest = false
    for (const [index, segment] of path.split('/').entries()) {
      const end = start + segment.length
      // A path with an empty segment misses its route, and a refusal shows it.
      if (segment !== '') {
        place++
        if (isRest || places.has(place) || this.#isSecret(previous)) spans.push({ start, end })
        isRest ||= isRoute && places.get(place) === true
        previous = names[index] ?? ''
        for (const [offset, isLast] of this.#offsets.get(previous) ?? []) mark(places, place + offset, isLast)
      }
      start = end + 1
    }
    return spans
  }

  #header(name: string, value: string): string {
    return isSecretHeader(name) || isCredential(name, value) ? hidden : this.text(value)
  }

  /** Hides credentials in a form or a query, pair by pair. Other pairs do not change. */
  #form(text: string): string {
    const pairs = [...new URLSearchParams(`?${text}`)]
    const hasSecretName = pairs.some(([, value]) => isNameOfSecret(value, this.#isSecret))
    const spans: Span[] = []
    let start = 0
    let index = 0
    for (const written of text.split('&')) {
      const end = start + written.length
      const [name, value] = (written === '' ? undefined : pairs[index++]) ?? ['', '']
      const isSecret = isCredential(name, value, this.#isSecret) || (hasSecretName && isValueName(name))
      if (isSecret && value !== '') spans.push({ start: start + written.indexOf('=') + 1, end })
      start = end + 1
    }
    // Hides in the text that the engine reads: a plus is a blank.
    return this.#hideParts(text, '&', spans, text.replaceAll('+', ' '))
  }

  /** Hides spans of a text, and credentials in its parts. Scans each part like a line. */
  #hideParts(text: string, separator: string, spans: readonly Span[], read = text): string {
    const lines = read.replaceAll(separator, '\n')
    const patterns = findSecretPatterns(read)
    const found = joinSpans([...spans, ...patterns, ...findAtAnyDepth(lines, this.#find)])
    return replaceSpans(text, found, () => hidden)
  }

  #freeText(text: string): string {
    return replaceInText(text, this.#find, () => hidden)
  }

  #copy(value: unknown): unknown {
    if (typeof value === 'string') return this.text(value)
    if (!isNested(value)) return value
    const secrets = secretMembers(value, this.#isSecret)
    const copy = (name: string, inner: unknown) =>
      secrets.has(name) && !this.#isRecords(name, inner) ? hidden : this.#copy(inner)
    if (Array.isArray(value)) return value.map((inner, index) => copy(String(index), inner))
    return Object.fromEntries(
      Object.entries(value).map(([name, inner]) => [this.#freeText(name), copy(name, inner)]),
    )
  }

  /** Returns whether a value is a list of records, each of which has its credential under a name of its own. */
  #isRecords(name: string, value: unknown): boolean {
    return (
      this.#plurals.has(name) &&
      Array.isArray(value) &&
      value.every((record) => isObject(record) && Object.keys(record).some(this.#isSecret))
    )
  }

  #knownSecrets(): KnownSecrets<true> {
    if (this.#known !== undefined) return this.#known
    this.#known = new KnownSecrets()
    for (const value of this.#listKnown()) {
      // The word `password` as a password would hide every name of one.
      if (/^[a-z]+$/i.test(value) && isSecretName(value)) continue
      this.#known.set(value, true)
      if (value.includes(' ')) this.#known.set(value.replaceAll(' ', '+'), true)
    }
    return this.#known
  }

  #addPositions({ plural, key, operations }: Resource): void {
    const paths = operations.flatMap(({ routes }) => routes.map(({ path }) => path))
    for (const path of [`/api/${plural}/:${key}`, ...paths]) {
      const [first = '', ...others] = path.split('/').slice(2)
      for (const [index, segment] of others.entries()) {
        if (!segment.startsWith(':') || !this.#names.has(segment.slice(1))) continue
        const offsets = this.#offsets.get(first) ?? new Map()
        mark(offsets, index + 1, paths.includes(path) && index === others.length - 1)
        this.#offsets.set(first, offsets)
      }
    }
  }
}

/** Marks the place of a secret; it ends a route where one of its marks does. */
function mark(places: Map<number, boolean>, place: number, isLast: boolean): void {
  places.set(place, isLast || places.get(place) === true)
}

/** Decodes a segment of a path; a malformed percent-encoding stays as it is. */
function decodePercent(text: string): string {
  return new URLSearchParams(`_=${text.replaceAll('+', '%2B').replaceAll('&', '%26')}`).get('_') ?? text
}
