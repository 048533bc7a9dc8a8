import { execFile } from 'node:child_process'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { onTestFinished } from 'vitest'
import { type Around, type CommandResult, runCommand } from '../../tests/support/run-command.ts'
import type { WhenOver } from './listen.ts'

const command = join(import.meta.dirname, '../../dist/cli/main.js')

/** Credentials of the built-in target. */
const signIn = ['--api-key', 'contract-key', '--email', 'judge@example.com', '--password', 'gavel-and-robe']

/** Flags with which every rule can be verified. */
export const everything = [
  ...signIn,
  '--use-conventions',
  '--allow-destructive',
  '--need',
  'other-token=other-active-token',
]

/** Runs `verify` in this process. */
export function runVerify(flags: readonly string[], around?: Around): Promise<CommandResult> {
  return runCommand(['verify', ...flags], around)
}

/** Runs the built `verify` in a process, a folder and an environment of its own. */
export function runBuiltVerify(
  flags: readonly string[],
  { cwd, env = {} }: { readonly cwd?: string; readonly env?: Readonly<Record<string, string>> } = {},
): Promise<CommandResult> {
  return new Promise((resolve) => {
    const child = execFile(
      'node',
      [command, 'verify', ...flags],
      { maxBuffer: 1 << 26, env: { ...process.env, ...env }, ...(cwd && { cwd }) },
      (_, out, err) => resolve({ code: child.exitCode ?? -1, out, err }),
    )
  })
}

/** Creates a folder that is deleted after the test. */
export async function folder(whenOver: WhenOver = onTestFinished): Promise<string> {
  const path = await mkdtemp(join(tmpdir(), 'understudy-test-'))
  whenOver(() => rm(path, { recursive: true, force: true }))
  return path
}
