import { styleText } from 'node:util'
import type { Observer } from './listener.ts'

const secretNames = ['api_key', 'oauth_token', 'token']
const triggerToken = /(\/pipeline_schedules\/[^/?#]*\/pipeline_runs\/)[^/?#]+/

/** Takes credentials out of a URL: keys in the query, however they are spelled, and the token in a trigger's path. */
export function redactUrl(url: string): string {
  const [path = '', ...rest] = url.replace(triggerToken, '$1***').split('?')
  if (rest.length === 0) return path
  const parameters = rest
    .join('?')
    .split('&')
    .map((parameter) => {
      const [name = ''] = parameter.split('=', 1)
      return secretNames.includes(decodeName(name)) ? `${name}=***` : parameter
    })
  return `${path}?${parameters.join('&')}`
}

function decodeName(name: string): string {
  try {
    return decodeURIComponent(name.replaceAll('+', ' ')).toLowerCase()
  } catch {
    return name.toLowerCase()
  }
}

/** Writes one line per request: the logical status, the operation, the request and the time. */
export function createRequestLog(write: (line: string) => void, format: 'text' | 'json'): Observer {
  return (request, reply, milliseconds) => {
    const method = request.method ?? 'GET'
    const url = redactUrl(request.url ?? '/')
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
