import * as limits from '../shared/limits.ts'
import type { Output, ProcessIo } from './process-io.ts'

/** The log of a server, on stdout. */
export interface ServerLog {
  readonly format: 'text' | 'json'
  /** Writes a line regardless of flags. */
  write(line: string): void
  /** Logs an event: as an object with `--json`, else as a text, which `--quiet` omits. A warning goes to stderr. */
  event(fields: object, text: string, level?: 'info' | 'warning'): void
}

/** The outputs of commands that continue when nobody reads them. */
const optional = new WeakSet<Output>()

/** Ends the command when its output is no longer read: a reader such as `head` may close the pipe early. */
export function endWithOutput(io: ProcessIo): void {
  const { stdout } = io
  stdout.on('error', (error: NodeJS.ErrnoException) => {
    if (!optional.has(stdout)) io.exit(error.code === 'EPIPE' ? Number(io.exitCode ?? 0) : 1)
  })
}

/**
 * Creates a log that never stops its server. Lines that a full disk or a slow reader does not take are dropped and
 * counted; the count is logged before the next line.
 */
export function createServerLog(
  { stdout, stderr }: ProcessIo,
  { json, quiet }: { readonly json?: true | undefined; readonly quiet?: true | undefined },
): ServerLog {
  optional.add(stdout)
  stderr.on('error', () => undefined)
  let dropped = 0
  let reported = 0
  const drop = (reason: string) => {
    dropped += 1
    if (dropped === 1) stderr.write(`The log drops lines: ${reason}. The server continues.\n`)
  }
  const send = (line: string) =>
    stdout.write(`${line}\n`, (error) => {
      if (error) drop(error.message)
    })
  const write = (line: string) => {
    if (stdout.writableLength > limits.logBacklog) return drop('its lines are not read')
    if (dropped > reported) {
      const lines = dropped
      // The line that reports it may be dropped itself, and is counted then.
      reported = dropped
      send(json ? JSON.stringify({ dropped: lines }) : `(${lines} lines dropped so far)`)
    }
    send(line)
  }
  return {
    format: json ? 'json' : 'text',
    write,
    event(fields, text, level = 'info') {
      if (json) write(JSON.stringify(fields))
      else if (level === 'warning') stderr.write(`${text}\n`)
      else if (!quiet) write(text)
    },
  }
}
