import * as limits from '../shared/limits.ts'
import type { Output, ProcessIo } from './process-io.ts'

/** Writes the lines of a log. */
export interface LineWriter {
  write(line: string): void
}

/** The outputs of commands that go on where it is not read. */
const outlived = new WeakSet<Output>()

/** Ends the command where its output is not read any more: a reader such as `head` may close the pipe before all is written. */
export function endWithOutput(io: ProcessIo): void {
  const { stdout } = io
  stdout.on('error', (error: NodeJS.ErrnoException) => {
    if (!outlived.has(stdout)) io.exit(error.code === 'EPIPE' ? Number(io.exitCode ?? 0) : 1)
  })
}

/**
 * Writes lines as long as they are taken: from now on the command goes on when its disk is full, or nobody reads. What
 * is not taken is dropped and counted; that is said once, and again before the next line that is taken.
 */
export function createLineWriter({ stdout, stderr }: ProcessIo, format: 'text' | 'json'): LineWriter {
  outlived.add(stdout)
  stderr.on('error', () => undefined)
  let dropped = 0
  let told = 0
  const drop = (reason: string) => {
    dropped += 1
    if (dropped === 1) stderr.write(`The log drops lines: ${reason}. The server goes on.\n`)
  }
  const send = (line: string) =>
    stdout.write(`${line}\n`, (error) => {
      if (error) drop(error.message)
    })
  return {
    write(line) {
      if (stdout.writableLength > limits.logBacklog) return drop('its lines are not read')
      if (dropped > told) {
        const lines = dropped
        // What says so may be dropped itself, and is counted then.
        told = dropped
        send(format === 'json' ? JSON.stringify({ dropped: lines }) : `(${lines} lines were dropped so far)`)
      }
      send(line)
    },
  }
}
