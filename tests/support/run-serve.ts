import { EventEmitter } from 'node:events'
import { Writable } from 'node:stream'
import { expect, onTestFinished } from 'vitest'
import type { ProcessIo } from '../../src/cli/process-io.ts'
import { runProgram } from '../../src/cli/program.ts'

type Env = Readonly<Record<string, string | undefined>>

/** Runs `pipeline-understudy serve` in this process until the end of a test, which saves the start of a process of its own. */
export async function runServe(args: readonly string[], env: Env = {}) {
  const text = { out: '', err: '' }
  const signals = new EventEmitter()
  let exitWith: (code: number) => void = () => undefined
  const exited = new Promise<number>((resolve) => {
    exitWith = resolve
  })
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
    exitCode: 0,
    // A process would end here; what follows is only the return of the caller.
    exit: (code = 0) => exitWith(code) as never,
    on: (event: string, listener: (error: unknown) => void) => signals.on(event, listener),
    once: (event: string, listener: (error: unknown) => void) => signals.once(event, listener),
    off: (event: string, listener: (error: unknown) => void) => signals.off(event, listener),
  }
  await runProgram(['serve', '--port', '0', ...args], io)
  const stop = (signal: 'SIGINT' | 'SIGTERM' = 'SIGTERM') => {
    signals.emit(signal)
    return exited
  }
  onTestFinished(async () => void (await stop()))
  const banner = args.includes('--json') ? /"listening"[^\n]*\n/ : /listens on[\s\S]*\n\n(?:[\s\S]*\n)?\n/
  await expect.poll(() => text.out + text.err, { interval: 5 }).toMatch(banner)
  const url = /http:\/\/[^\s"']+:\d+/.exec(text.out)?.[0] ?? ''
  const lines = () => text.out.split('\n').filter((line) => line.trim() !== '')
  const commands = () => text.out.replaceAll(/ \\\n\s+/g, ' ').split('\n')
  return { text, url, stop, lines, curls: () => commands().filter((line) => line.trim().startsWith('curl ')) }
}
