import { execFile } from 'node:child_process'
import { cp, symlink } from 'node:fs/promises'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { root } from './root.ts'
import { makeFolder } from './temporary.ts'

/** Compiles a changed copy of `src` and `contract-tests`; returns the errors, each with all its lines. */
export async function compileCopy(change: (folder: string) => Promise<void>): Promise<string[][]> {
  const folder = makeFolder()
  // Tests import from the other workspaces, which are not copied.
  const filter = (path: string) => path !== join(root, 'contract-tests/tests')
  for (const name of ['src', 'contract-tests', 'fixtures', 'package.json', 'tsconfig.json'])
    await cp(join(root, name), join(folder, name), { recursive: true, filter })
  await symlink(join(root, 'node_modules'), join(folder, 'node_modules'))
  await change(folder)
  const tsc = join(root, 'node_modules/typescript/bin/tsc')
  const flags = ['--noEmit', '--checkers', '1', '--pretty', 'false']
  const options = { cwd: folder, maxBuffer: 64 * 1024 * 1024 }
  const { stdout } = await promisify(execFile)(process.execPath, [tsc, ...flags], options).catch(
    (error: { stdout: string }) => error,
  )
  const errors: string[][] = []
  for (const line of stdout.trim().split('\n')) {
    if (/^\S+\(\d+,\d+\): error/.test(line)) errors.push([line])
    else errors.at(-1)?.push(line)
  }
  return errors
}
