import type { Entry } from 'har-format'
import { splitUrl } from '../shared/http.ts'
import { version } from '../shared/version.ts'
import type { RecordedExchange } from './exchange.ts'

export const creatorName = 'pipeline-understudy'

/** Start of a HAR 1.2 file. Commas separate entries. */
export function harStart(): string {
  const creator = JSON.stringify({ name: creatorName, version })
  return `{"log":{"version":"1.2","creator":${creator},"entries":[\n`
}

export const harEnd = '\n]}}\n'

/**
 * Converts an exchange to an entry of a HAR 1.2 file. It hides no credentials: redact the exchange first. `_client` is a
 * an additional member; the format reserves names that start with an underscore for these.
 */
export function toHarEntry(exchange: RecordedExchange) {
  const { client, startedAt, milliseconds: time, request, reply } = exchange
  const query = new URLSearchParams(splitUrl(request.url).search)
  return {
    startedDateTime: new Date(startedAt).toISOString(),
    time,
    request: {
      method: request.method,
      url: request.url,
      httpVersion: 'HTTP/1.1',
      cookies: [],
      headers: toPairs(request.headers),
      queryString: [...query].map(([name, value]) => ({ name, value })),
      ...(request.body !== undefined && {
        postData: { mimeType: request.headers['content-type'] ?? 'application/json', text: request.body },
      }),
      headersSize: -1,
      bodySize: request.body?.length ?? 0,
    },
    response: {
      status: reply?.status ?? 0,
      statusText: '',
      httpVersion: 'HTTP/1.1',
      cookies: [],
      headers: toPairs(reply?.headers ?? {}),
      content: {
        size: reply?.body?.length ?? 0,
        mimeType: reply?.headers['content-type'] ?? '',
        ...(reply?.body !== undefined && { text: reply.body }),
      },
      redirectURL: '',
      headersSize: -1,
      bodySize: -1,
    },
    cache: {},
    timings: { send: 0, wait: time, receive: 0 },
    _client: client,
  } satisfies Entry & { readonly _client: string }
}

function toPairs(headers: Readonly<Record<string, string>>): { name: string; value: string }[] {
  return Object.entries(headers).map(([name, value]) => ({ name, value }))
}
