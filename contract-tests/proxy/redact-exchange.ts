import { Redactor } from '../../src/engine/journal/redact.ts'
import { resources } from '../../src/resources/index.ts'
import { hidden } from '../../src/shared/hidden.ts'
import { tryParseJson } from '../../src/shared/json.ts'
import { isNested } from '../../src/shared/values.ts'
import type { RecordedExchange } from '../../src/traffic/exchange.ts'
import { Secrets } from '../runner/redact.ts'
import { learnCredentials, learnNamed } from '../traffic/learn-credentials.ts'

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
    learnNamed(reply?.body, this.#secrets)
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
