import { EventEmitter, once } from 'node:events'
import { Writable } from 'node:stream'
import { CommandExit, type ProcessIo } from '../../src/cli/process-io.ts'
import { runProgram } from '../../src/cli/program.ts'

/** What a command said, and with what it ended. */
export interface CommandResult {
  readonly code: number
  readonly out: string
  readonly err: string
}

/** What a command is given in the place of a process's own. */
export interface Around {
  readonly env?: Readonly<Record<string, string | undefined>>
  /** Where temporary files go. */
  readonly temporary?: string
}

/**
 * Runs a command that ends by itself in this process, which saves what a process of its own takes to start and to become
 * fast. What is of the process, its signals, pipes and folder, is tested with the built command.
 */
export async function runCommand(
  args: readonly string[],
  { env = {}, temporary }: Around = {},
): Promise<CommandResult> {
  const [stdout, stderr] = [collector(), collector()]
  const events = new EventEmitter()
  let ended: number | undefined
  const io: ProcessIo = {
    stdout: stdout.stream,
    stderr: stderr.stream,
    env,
    ...(temporary !== undefined && { temporary }),
    exitCode: 0,
    exit(code = 0) {
      ended ??= code
      throw new CommandExit()
    },
    on: (event: string, listener: (error: unknown) => void) => events.on(event, listener),
    once: (event: string, listener: (error: unknown) => void) => events.once(event, listener),
    off: (event: string, listener: (error: unknown) => void) => events.off(event, listener),
  }
  await runProgram(args, io)
  return { code: ended ?? Number(io.exitCode), out: await stdout.text(), err: await stderr.text() }
}

/** A stream that keeps what is written to it. */
function collector(): { readonly stream: Writable; text(): Promise<string> } {
  const chunks: Buffer[] = []
  const stream = new Writable({
    write(chunk: Buffer, _, callback) {
      chunks.push(chunk)
      callback()
    },
  })
  return {
    stream,
    async text() {
      stream.end()
      await once(stream, 'finish')
      return Buffer.concat(chunks).toString()
    },
  }
}
