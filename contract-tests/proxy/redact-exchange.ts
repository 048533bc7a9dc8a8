import { Redactor } from '../../src/engine/journal/redact.ts'
import { resources } from '../../src/resources/index.ts'
import { hidden } from '../../src/shared/hidden.ts'
import { tryParseJson } from '../../src/shared/json.ts'
import { isSecretHeader, isSecretName } from '../../src/shared/secret-names.ts'
import type { RecordedExchange } from '../../src/traffic/exchange.ts'
import { Secrets } from '../runner/redact.ts'

/**
 * Hides credentials in exchanges: by their names and positions, and by their values wherever these occur after they were
 * first seen under such a name.
 */
export class ExchangeRedactor {
  readonly #redactor = new Redactor(resources)
  readonly #secrets = new Secrets()

  redact(exchange: RecordedExchange): RecordedExchange {
    const { request, reply } = exchange
    this.#learnUrl(request.url)
    for (const message of [request, reply]) if (message !== undefined) this.#learn(message)
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

  #learnUrl(url: string): void {
    const [path = '', query = ''] = url.split('?')
    for (const [name, value] of new URLSearchParams(query)) if (isSecretName(name)) this.#secrets.add(value)
    const hiddenPath = this.#redactor.url(path).split('/')
    for (const [index, segment] of path.split('/').entries())
      if (hiddenPath[index] === hidden) this.#secrets.add(decodePercent(segment))
  }

  #learn({ headers, body }: Pick<RecordedExchange['request'], 'headers' | 'body'>): void {
    for (const [name, value] of Object.entries(headers))
      if (isSecretHeader(name)) for (const part of partsOf(name, value)) this.#secrets.add(part)
    this.#secrets.learn(body === undefined ? undefined : tryParseJson(body))
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

/** Returns the parts of a header that are credentials: the values of cookies, and what follows a scheme. */
function partsOf(name: string, value: string): string[] {
  if (name === 'cookie') return value.split(';').map(valueOfPair)
  // Several are joined by commas, which dates contain too.
  if (name === 'set-cookie')
    return value.split(/,\s*(?=[^;,=\s]+=)/).map((line) => valueOfPair(line.split(';')[0]))
  return [value, /^\w+ +(\S+)$/.exec(value)?.[1] ?? '']
}

function valueOfPair(pair = ''): string {
  return decodePercent(pair.slice(pair.indexOf('=') + 1).trim())
}

/** Decodes a percent-encoded text; a malformed one stays as it is. */
function decodePercent(text: string): string {
  try {
    return decodeURIComponent(text)
  } catch {
    return text
  }
}
