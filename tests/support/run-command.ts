import { EventEmitter } from 'node:events'
import { Writable } from 'node:stream'
import { CommandExit, type ProcessIo } from '../../src/cli/process-io.ts'
import { runProgram } from '../../src/cli/program.ts'

/** The output of a command, and its exit code. */
export interface CommandResult {
  readonly code: number
  readonly out: string
  readonly err: string
}

/** Environment variables of a command, instead of those of the process. */
export interface Around {
  readonly env?: Readonly<Record<string, string | undefined>>
  /** The folder for temporary files. */
  readonly temporary?: string
}

/** Creates the streams, signals and exit that a command uses when it runs in this process. */
export function createIo({ env = {}, temporary }: Around, exit: (code: number) => void) {
  const text = { out: '', err: '' }
  const signals = new EventEmitter()
  const collect = (name: 'out' | 'err') =>
    new Writable({
      write(chunk: Buffer, _, callback) {
        text[name] += chunk.toString()
        callback()
      },
    })
  const io: ProcessIo = {
    stdout: collect('out'),
    stderr: collect('err'),
    env,
    ...(temporary !== undefined && { temporary }),
    exitCode: 0,
    // A process would end here.
    exit: (code = 0) => exit(code) as never,
    on: (event: string, listener: (error: unknown) => void) => signals.on(event, listener),
    once: (event: string, listener: (error: unknown) => void) => signals.once(event, listener),
    off: (event: string, listener: (error: unknown) => void) => signals.off(event, listener),
  }
  return { io, text, signals }
}

/** Runs a command to its end in this process. Signals, pipes and folders are tested with the built command. */
export async function runCommand(args: readonly string[], around: Around = {}): Promise<CommandResult> {
  let ended: number | undefined
  const { io, text } = createIo(around, (code) => {
    ended ??= code
    throw new CommandExit()
  })
  await runProgram(args, io)
  return { code: ended ?? Number(io.exitCode), ...text }
}
