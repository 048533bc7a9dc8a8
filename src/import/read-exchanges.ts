import type { Endpoint, Router } from '../engine/router.ts'
import { apiKeyLocations, tokenLocations } from '../shared/credentials.ts'
import { splitUrl } from '../shared/http.ts'
import { tryParseJson } from '../shared/json.ts'
import { isSecretHeader, isSecretName } from '../shared/secret-names.ts'
import { isObject } from '../shared/values.ts'
import { addressOf, type RecordedExchange } from '../traffic/exchange.ts'
import type { Pseudonyms } from './pseudonyms.ts'

/** An exchange with an operation of the API; its values are pseudonyms where they were secret. */
export interface ImportedExchange {
  readonly endpoint: Endpoint
  readonly method: string
  /** Path and query, from `/api` on. */
  readonly path: string
  readonly parameters: Readonly<Record<string, string>>
  readonly startedAt: number
  /** Pseudonym of the decoded token that the request presented. */
  readonly token: string | undefined
  readonly requestBody: unknown
  readonly replyBody: Readonly<Record<string, unknown>>
}

/** The exchanges with the API in recorded traffic. */
export interface ImportedTraffic {
  readonly exchanges: readonly ImportedExchange[]
  /** Pseudonyms of the API keys that requests used. */
  readonly apiKeys: readonly string[]
  /** Number of exchanges with other paths, or without a whole reply. */
  readonly ignored: number
}

/** Reads recorded traffic, and replaces its secrets, so that later steps cannot leak them. */
export async function readExchanges(
  recorded: AsyncIterable<RecordedExchange>,
  router: Router,
  pseudonyms: Pseudonyms,
): Promise<ImportedTraffic> {
  const found: ImportedExchange[] = []
  const apiKeys = new Set<string>()
  let ignored = 0
  for await (const exchange of recorded) {
    const { request, reply, startedAt } = exchange
    const address = addressOf(exchange)
    const { path, search } = splitUrl(address?.path ?? '/')
    const match = address && router.match(request.method, path)
    const replyBody = reply?.body === undefined ? undefined : tryParseJson(reply.body)
    for (const [name, value] of [...Object.entries(request.headers), ...Object.entries(reply?.headers ?? {})])
      if (isSecretHeader(name)) for (const part of [value, ...value.split(/[;\s]+|=/)]) pseudonyms.learn(part)
    if (address === undefined || match?.kind !== 'endpoint' || !isObject(replyBody)) {
      ignored++
      continue
    }
    const requestBody = request.body === undefined ? undefined : tryParseJson(request.body)
    const query = new URLSearchParams(search)
    const { endpoint, parameters } = match
    for (const [name, value] of [...query, ...Object.entries(parameters)])
      if (isSecretName(name)) pseudonyms.learn(value)
    for (const body of [requestBody, replyBody]) pseudonyms.learnAll(body)
    const inBody = isObject(requestBody) ? requestBody.api_key : undefined
    const inHeader = request.headers[apiKeyLocations.header.name.toLowerCase()]
    for (const key of [inHeader, query.get(apiKeyLocations.query.name), inBody])
      if (typeof key === 'string' && key !== '') apiKeys.add(key)
    const presented = request.headers[tokenLocations.header.name.toLowerCase()]
    const token = presented === undefined ? undefined : pseudonyms.of(presented)
    found.push({
      endpoint,
      method: request.method,
      path: address.path,
      parameters,
      startedAt,
      token,
      requestBody,
      replyBody,
    })
  }
  // Replaces secrets at the end, because any exchange may reveal one of an earlier exchange.
  const exchanges = found.map(
    (exchange): ImportedExchange => ({
      ...exchange,
      path: hideInPath(exchange.path, pseudonyms),
      parameters: pseudonyms.value(exchange.parameters),
      requestBody: pseudonyms.value(exchange.requestBody),
      replyBody: pseudonyms.value(exchange.replyBody),
    }),
  )
  return { exchanges, apiKeys: [...apiKeys].map((key) => pseudonyms.of(key)), ignored }
}

function hideInPath(path: string, pseudonyms: Pseudonyms): string {
  const { path: plain, search } = splitUrl(path)
  const segments = plain.split('/').map((segment) => encodeURIComponent(pseudonyms.text(decode(segment))))
  const query = [...new URLSearchParams(search)].map(([name, value]) => {
    const shown = isSecretName(name) ? pseudonyms.of(value) : pseudonyms.text(value)
    return `${encodeURIComponent(name)}=${encodeURIComponent(shown)}`
  })
  return segments.join('/') + (query.length === 0 ? '' : `?${query.join('&')}`)
}

function decode(segment: string): string {
  try {
    return decodeURIComponent(segment)
  } catch {
    return segment
  }
}
