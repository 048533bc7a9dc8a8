import { Redactor } from '../../src/engine/journal/redact.ts'
import { resources } from '../../src/resources/index.ts'
import { tryParseJson } from '../../src/shared/json.ts'
import type { RecordedExchange } from '../../src/traffic/exchange.ts'
import { Secrets } from '../runner/redact.ts'
import { learnCredentials } from '../traffic/learn-credentials.ts'

/**
 * Hides credentials in exchanges: by their names and positions, and by their values wherever these occur after they were
 * first seen under such a name.
 */
export class ExchangeRedactor {
  readonly #redactor = new Redactor(resources)
  readonly #secrets = new Secrets()

  redact(exchange: RecordedExchange): RecordedExchange {
    const { request, reply } = exchange
    learnCredentials(exchange, this.#secrets)
    for (const body of [request.body, reply?.body])
      if (body !== undefined) this.#secrets.learn(tryParseJson(body))
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

  #hideInHeaders(headers: Readonly<Record<string, string>>): Record<string, string> {
    const entries = Object.entries(this.#redactor.headers(headers))
    return Object.fromEntries(entries.map(([name, value]) => [name, this.#secrets.redact(value)]))
  }

  #hideInBody(body: string | undefined): string | undefined {
    if (body === undefined) return undefined
    const json = tryParseJson(body)
    const hidden = json === undefined ? this.#redactor.text(body) : JSON.stringify(this.#redactor.value(json))
    return this.#secrets.redact(hidden)
  }
}
