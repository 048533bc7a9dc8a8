import { Redactor } from '../../src/engine/journal/redact.ts'
import { resources } from '../../src/resources/index.ts'
import { findNamedSecrets } from '../../src/shared/find-named-secrets.ts'
import { hidden } from '../../src/shared/hidden.ts'
import { findAtAnyDepth } from '../../src/shared/hide-in-text.ts'
import { tryParseJson } from '../../src/shared/json.ts'
import { isNested } from '../../src/shared/values.ts'
import type { RecordedExchange } from '../../src/traffic/exchange.ts'
import { Secrets } from '../runner/redact.ts'
import { learnCredentials } from '../traffic/learn-credentials.ts'

/** Returns whether a text is a word, a number or a date. It would hide parts of other texts. */
function isOrdinary(text: string): boolean {
  return /^(?:[a-z_-]{1,15}|[\dT:.+-]+)$/i.test(text)
}

/** Minimum length of a secret to learn from a text. */
const shortestNamed = 6

/**
 * Hides credentials in exchanges: by their names and positions, and by their values wherever these occur after they
 * first occurred under such a name.
 */
export class ExchangeRedactor {
  readonly #redactor = new Redactor(resources)
  readonly #secrets = new Secrets()

  /** Redacts an exchange as `redact` does, and hides its bodies whole. */
  redactWithoutBodies(exchange: RecordedExchange): RecordedExchange {
    this.#learnBodies(exchange)
    const { request, reply } = exchange
    return this.redact({
      ...exchange,
      request: { ...request, body: request.body && hidden },
      reply: reply && { ...reply, body: reply.body && hidden },
    })
  }

  redact(exchange: RecordedExchange): RecordedExchange {
    const { request, reply } = exchange
    learnCredentials(exchange, this.#secrets)
    this.#learnBodies(exchange)
    for (const text of [
      request.url,
      request.body,
      reply?.body,
      ...headerValues(request),
      ...headerValues(reply),
    ])
      this.#learnNamed(text)
    return {
      ...exchange,
      request: {
        ...request,
        url: this.#secrets.redact(this.#redactor.url(request.url)),
        headers: this.#hideInHeaders(request.headers),
        body: this.#hideInBody(request.body),
      },
      reply: reply && {
        ...reply,
        headers: this.#hideInHeaders(reply.headers),
        body: this.#hideInBody(reply.body),
      },
    }
  }

  #learnBodies({ request, reply }: RecordedExchange): void {
    for (const body of [request.body, reply?.body])
      if (body !== undefined) this.#secrets.learn(tryParseJson(body))
  }

  /** Adds the values of secret names in a text, such as a log or a page. */
  #learnNamed(text = ''): void {
    for (const { start, end } of findAtAnyDepth(text, findNamedSecrets)) {
      // A value without quotes reaches to the end of its line. A scheme may precede it.
      const parts = text.slice(start, end).split(/[\s"'`<>&,;()[\]{}\\]+/)
      for (const part of parts.filter((each) => each !== '').slice(0, 2))
        if (part.length >= shortestNamed && !isOrdinary(part)) this.#secrets.add(part)
    }
  }

  #hideInHeaders(headers: Readonly<Record<string, string>>): Record<string, string> {
    const entries = Object.entries(this.#redactor.headers(headers))
    return Object.fromEntries(entries.map(([name, value]) => [name, this.#secrets.redact(value)]))
  }

  #hideInBody(body: string | undefined): string | undefined {
    if (body === undefined) return undefined
    const json = tryParseJson(body)
    if (json === undefined) return this.#secrets.redact(this.#redactor.text(body))
    return JSON.stringify(mapTexts(this.#redactor.value(json), (text) => this.#secrets.redact(text)))
  }
}

function headerValues(message: { readonly headers: Readonly<Record<string, string>> } | undefined): string[] {
  return Object.values(message?.headers ?? {})
}

/** Copies a JSON value with other texts and names. A number that another text replaces becomes that text. */
function mapTexts(value: unknown, replace: (text: string) => string): unknown {
  if (typeof value === 'string') return replace(value)
  if (typeof value === 'number') {
    const text = replace(String(value))
    return text === String(value) ? value : text
  }
  if (Array.isArray(value)) return value.map((inner) => mapTexts(inner, replace))
  if (!isNested(value)) return value
  return Object.fromEntries(
    Object.entries(value).map(([name, inner]) => [replace(name), mapTexts(inner, replace)]),
  )
}
