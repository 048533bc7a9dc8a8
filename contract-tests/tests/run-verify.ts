import { execFile } from 'node:child_process'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { onTestFinished } from 'vitest'

const command = join(import.meta.dirname, '../../dist/cli/main.js')

/** What the command said, and with what it ended. */
export interface Ran {
  readonly code: number
  readonly out: string
  readonly err: string
}

/** Runs the built `verify` in a folder and an environment of its own. */
export function runVerify(
  flags: readonly string[],
  { cwd, env = {} }: { readonly cwd?: string; readonly env?: Readonly<Record<string, string>> } = {},
): Promise<Ran> {
  return new Promise((resolve) => {
    const child = execFile(
      'node',
      [command, 'verify', ...flags],
      { maxBuffer: 1 << 26, env: { ...process.env, ...env }, ...(cwd && { cwd }) },
      (_, out, err) => resolve({ code: child.exitCode ?? -1, out, err }),
    )
  })
}

/** A folder that is gone after the test. */
export async function folder(whenOver = onTestFinished): Promise<string> {
  const path = await mkdtemp(join(tmpdir(), 'understudy-test-'))
  whenOver(() => rm(path, { recursive: true, force: true }))
  return path
}
