import { styleText } from 'node:util'
import type { Observer } from './listener.ts'

const secretParameters = /([?&](?:api_key|oauth_token|token)=)[^&#]*/gi
const triggerToken = /(\/pipeline_runs\/)[^/?#]+/

/** Takes credentials out of a URL: keys in the query, and the schedule token in the path of a trigger. */
export function redactUrl(url: string, method: string): string {
  const path = method === 'POST' ? url.replace(triggerToken, '$1***') : url
  return path.replace(secretParameters, '$1***')
}

/** Writes one line per request: the logical status, the operation, the request and the time. */
export function createRequestLog(write: (line: string) => void, format: 'text' | 'json'): Observer {
  return (request, reply, milliseconds) => {
    const method = request.method ?? 'GET'
    const url = redactUrl(request.url ?? '/', method)
    const operation = reply.operation?.id ?? '-'
    const rounded = Math.round(milliseconds * 100) / 100
    if (format === 'json') {
      write(JSON.stringify({ status: reply.code, operation, method, url, milliseconds: rounded }))
      return
    }
    const colour = reply.code < 400 ? 'green' : reply.code < 500 ? 'yellow' : 'red'
    write(`${styleText(colour, String(reply.code))} ${operation.padEnd(22)} ${method} ${url} ${rounded} ms`)
  }
}
