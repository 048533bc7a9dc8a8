import { execFile } from 'node:child_process'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { controlCharacters } from '../../src/shared/printable.ts'
import { attack, differs } from './target.ts'

/** The built command. */
const command = process.env.UNDERSTUDY_CLI ?? join(process.cwd(), 'dist/cli/main.js')

/** Runs a shell line, in which `$COMMAND` is the command, in a folder of its own. */
function run<Outcome>(
  line: string,
  files: Readonly<Record<string, string>>,
  read: (result: { code: number; output: string }, folder: string) => Outcome,
): Promise<Outcome> {
  const folder = mkdtempSync(join(tmpdir(), 'understudy-attack-'))
  for (const [name, text] of Object.entries(files)) writeFileSync(join(folder, name), text)
  const options = { cwd: folder, env: { ...process.env, COMMAND: `${process.execPath} ${command}` } }
  return new Promise((resolve) => {
    const child = execFile('/bin/bash', ['-c', line], options, (_, stdout, stderr) => {
      const result = read({ code: child.exitCode ?? -1, output: stdout + stderr }, folder)
      rmSync(folder, { recursive: true })
      resolve(result)
    })
  })
}

/** A member name that clears the terminal, changes its color and stops the commands of a CI. */
const hostileName = '\u001b[2J\u009b31m\n::stop-commands::x\n##[error]y\n##vso[task.complete]z\u202e'
const hostileRecord = JSON.stringify({ [hostileName]: [], pipelines: [{ [hostileName]: 1 }] })

/** Attacks on the command by the files that it reads and the disk that it writes to. */
export const commandAttacks = [
  ...['fixture check', 'serve --port 0 --fixture', 'serve --port 0 --fault', 'scenario check'].map((words) =>
    attack({
      name: `commands: control characters and CI commands in the file of ${words}`,
      send: () =>
        run(`$COMMAND ${words} hostile.json`, { 'hostile.json': hostileRecord }, ({ code, output }) => [
          code,
          output.length > 20,
          output
            .split('\n')
            .filter((text) => /^\s*::|##\w*\[/.test(text) || text.search(controlCharacters) >= 0),
        ]),
      holds: (found) => differs('exit code, whether it printed, hostile lines', [1, true, []], found),
    }),
  ),
  ...['openapi', 'fixture generate'].map((words) =>
    attack({
      name: `commands: a full disk behind ${words}`,
      send: () => run(`$COMMAND ${words} > /dev/full`, {}, ({ code, output }) => [code, output]),
      holds: (found) =>
        differs('exit code and message', [1, 'Cannot write to standard output: the disk is full.\n'], found),
    }),
  ),
]
