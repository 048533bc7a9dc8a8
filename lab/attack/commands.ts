import { execFile } from 'node:child_process'
import { once } from 'node:events'
import { mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { createServer } from 'node:http'
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
  ...['fixture check', 'serve --port 0 --fixture'].map((words) =>
    attack({
      name: `commands: JSON of 100,000 levels for ${words}`,
      send: () =>
        run(
          `$COMMAND ${words} deep.json`,
          { 'deep.json': '['.repeat(100_000) + ']'.repeat(100_000) },
          ({ code, output }) => [code, output],
        ),
      holds: (found) =>
        differs(
          'exit code and message',
          [1, 'Cannot read the fixture deep.json: it is nested more than 200 levels deep.\n'],
          found,
        ),
    }),
  ),
  ...['openapi', 'openapi --format yaml', 'fixture generate', 'fixture schema', 'completion bash'].map(
    (words) =>
      attack({
        name: `commands: a full disk behind ${words}`,
        send: () => run(`$COMMAND ${words} > /dev/full`, {}, ({ code, output }) => [code, output]),
        holds: (found) =>
          differs(
            'exit code and message',
            [1, 'Cannot write to standard output: the disk is full.\n'],
            found,
          ),
      }),
  ),
  attack({
    name: 'commands: a disk that fills up while init changes package.json',
    send: () => {
      const manifest = `{\n\t"name": "a",\n\t"big": "${'x'.repeat(100_000)}"\n}`
      return run(
        'ulimit -f 60; $COMMAND init --no-install',
        { 'package.json': manifest },
        ({ code }, folder) => [
          code !== 0,
          readFileSync(join(folder, 'package.json'), 'utf8') === manifest,
          readdirSync(folder).filter((name) => name.endsWith('.tmp')),
        ],
      )
    },
    holds: (found) =>
      differs('whether it failed, whether the file is the same, drafts', [true, true, []], found),
  }),
  attack({
    name: 'commands: doctor for a server that answers other JSON',
    async send() {
      const server = createServer((_, reply) => {
        reply.setHeader('content-type', 'application/json').end('{"pipelines":[],"entries":[{}]}')
      })
      await once(server.listen(0, '127.0.0.1'), 'listening')
      const address = server.address()
      const port = typeof address === 'object' ? address?.port : 0
      const outcome = await run(`$COMMAND doctor http://127.0.0.1:${port}`, {}, ({ code, output }) => [
        code,
        output.includes('answers, but not as the admin API'),
      ])
      server.close()
      return outcome
    },
    holds: (found) => differs('exit code, and whether the reason is printed', [0, true], found),
  }),
]
