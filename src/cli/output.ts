import { isOpenFile, reasonNotWritten, writeOpenFile } from '../files/write-file.ts'
import * as limits from '../shared/limits.ts'
import { printable, printableLines } from '../shared/printable.ts'
import type { Output, ProcessIo } from './process-io.ts'

export interface ServerLog {
  readonly format: 'text' | 'json'
  /** Writes a line regardless of flags. */
  write(line: string): void
  /** Writes an escaped line, which may have colors. */
  writeEscaped(line: string): void
  /** Logs an event: as an object with `--json`, else as a text, which `--quiet` omits. A warning goes to stderr. */
  event(fields: object, text: string, level?: 'info' | 'warning'): void
}

/** Prints a text on stdout, with escaped control characters and CI commands. */
export function print({ stdout }: ProcessIo, text: string): void {
  writeWhole(stdout, printableLines(toLines(text)))
}

/** Prints a text on stderr, with escaped control characters and CI commands. */
export function printError({ stderr }: ProcessIo, text: string): void {
  stderr.write(printableLines(toLines(text)))
}

/** Prints an escaped report, which may have colors or CI commands of its own. */
export function printReport({ stdout }: ProcessIo, report: string): void {
  writeWhole(stdout, report)
}

/** Writes a text as a whole, or emits an error. */
function writeWhole(stdout: Output, text: string): void {
  const { fd } = stdout
  if (fd === undefined || !isOpenFile(fd)) return void stdout.write(text)
  try {
    writeOpenFile(fd, text)
  } catch (error) {
    stdout.emit('error', error)
  }
}

/** Replaces the last line of a terminal on stderr. */
export function rewriteLine({ stderr }: ProcessIo, line: string): void {
  stderr.write(`\r\u001b[K${printable(line)}`)
}

function toLines(text: string): string {
  return text.endsWith('\n') ? text : `${text}\n`
}

/** Exit codes of commands that cannot write their output; `continue` for one that continues without it. Default: 1. */
const failureCodes = new WeakMap<Output, number | 'continue'>()

/** Sets the exit code for a successful command without writable output. */
export function failWith(code: number, { stdout }: ProcessIo): void {
  failureCodes.set(stdout, code)
}

/** Ends the command when a reader such as `head` closes its output early. */
export function endWithOutput(io: ProcessIo): void {
  const { stdout, stderr } = io
  stderr.on('error', () => undefined)
  stdout.on('error', (error: NodeJS.ErrnoException) => {
    const failureCode = failureCodes.get(stdout) ?? 1
    if (failureCode === 'continue') return
    const exitCode = Number(io.exitCode ?? 0)
    if (error.code === 'EPIPE') return io.exit(exitCode)
    printError(io, `Cannot write to standard output: ${reasonNotWritten(error)}.`)
    io.exit(exitCode || failureCode)
  })
}

/**
 * Creates a log that never stops its server. It drops lines that a full disk or a slow reader does not take, and logs
 * their number before the next line.
 */
export function createServerLog(
  io: ProcessIo,
  { json, quiet }: { readonly json?: true | undefined; readonly quiet?: true | undefined },
): ServerLog {
  const { stdout } = io
  failureCodes.set(stdout, 'continue')
  let dropped = 0
  let reported = 0
  const drop = (reason: string) => {
    dropped += 1
    if (dropped === 1) printError(io, `The log drops lines: ${reason}. The server continues.`)
  }
  const send = (line: string) =>
    stdout.write(`${line}\n`, (error) => {
      if (error) drop(error.message)
    })
  const writeEscaped = (line: string) => {
    if (stdout.writableLength > limits.logBacklog) return drop('its lines are not read')
    if (dropped > reported) {
      const lines = dropped
      // The stream may drop the line that reports the number, too; then that line counts.
      reported = dropped
      send(json ? JSON.stringify({ dropped: lines }) : `(${lines} lines dropped so far)`)
    }
    send(line)
  }
  const write = (line: string) => writeEscaped(printableLines(line))
  return {
    format: json ? 'json' : 'text',
    write,
    writeEscaped,
    event(fields, text, level = 'info') {
      if (json) write(JSON.stringify(fields))
      else if (level === 'warning') printError(io, text)
      else if (!quiet) write(text)
    },
  }
}
