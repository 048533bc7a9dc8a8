import { styleText } from 'node:util'
import { documentedRedactor } from '../engine/journal/documented-redactor.ts'
import * as limits from '../shared/limits.ts'
import { printable } from '../shared/printable.ts'
import type { Observer } from './listener-types.ts'

/** Writes one line per request: the logical status, the operation, the request and the time. */
export function createRequestLog(write: (line: string) => void, format: 'text' | 'json'): Observer {
  return (request, reply, milliseconds) => {
    const method = request.method ?? 'GET'
    const url = documentedRedactor.url(request.url ?? '/')
    const operation = reply.operation?.id ?? '-'
    const rounded = Math.round(milliseconds * 100) / 100
    if (format === 'json') {
      const { code: status, world, faults } = reply
      write(
        printable(JSON.stringify({ status, operation, method, url, milliseconds: rounded, world, faults })),
      )
      return
    }
    const colour = reply.code < 400 ? 'green' : reply.code < 500 ? 'yellow' : 'red'
    const shown = printable(shorten(url))
    write(`${styleText(colour, String(reply.code))} ${operation.padEnd(22)} ${method} ${shown} ${rounded} ms`)
  }
}

/** Shortens a path for people; JSON lines contain all of it. */
function shorten(url: string): string {
  const most = limits.loggedPath
  return url.length <= most ? url : `${url.slice(0, most)}… (${url.length} characters)`
}
