import { expect, onTestFinished } from 'vitest'
import { runProgram } from '../../src/cli/program.ts'
import { createIo } from './run-command.ts'

type Env = Readonly<Record<string, string | undefined>>

/** Runs `pipeline-understudy serve` in this process until the end of a test, which saves the start of a process of its own. */
export async function runServe(args: readonly string[], env: Env = {}) {
  let exitWith: (code: number) => void = () => undefined
  const exited = new Promise<number>((resolve) => {
    exitWith = resolve
  })
  const { io, text, signals } = createIo({ env }, (code) => exitWith(code))
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
