import { execFile } from 'node:child_process'
import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { expect, it, onTestFinished } from 'vitest'
import { runCommand } from './support/run-command.ts'

const run = promisify(execFile)

/** What bash offers behind words that are typed, the last of them as far as it is; files, where it has them offered. */
async function offered(...typed: string[]): Promise<string[]> {
  const folder = await mkdtemp(join(tmpdir(), 'understudy-completion-'))
  onTestFinished(() => rm(folder, { recursive: true, force: true }))
  await writeFile(join(folder, 'script.bash'), (await runCommand(['completion', 'bash'])).out)
  const words = ['pipeline-understudy', ...typed].map((word) => `'${word}'`).join(' ')
  const asking = `source script.bash
COMP_WORDS=(${words}); COMP_CWORD=${typed.length}
_pipeline_understudy
if ((\${#COMPREPLY[@]})); then printf '%s\\n' "\${COMPREPLY[@]}"; else echo FILES; fi`
  const { stdout } = await run('bash', ['--noprofile', '--norc', '-euc', asking], { cwd: folder })
  return stdout.trim().split('\n')
}

it('offers commands, and those below a command', async () => {
  expect(await offered('s')).toEqual(['serve', 'scenario'])
  expect(await offered('fixture', '')).toEqual(['new', 'check', 'generate', 'schema', 'help'])
  expect(await offered('completion', '')).toEqual(['bash', 'zsh', 'fish'])
})

it('offers the flags of the command that is typed, and none of another', async () => {
  expect(await offered('serve', '--ad')).toEqual(['--admin-token'])
  expect(await offered('--v')).toEqual(['--version'])
  expect(await offered('fixture', 'generate', '--')).toEqual(
    expect.arrayContaining(['--pipelines', '--seed', '--out', '--help']),
  )
  expect(await offered('serve', '--port', '6790', '--auth', 'key', '--sce')).toEqual(['--scenario'])
})

it('offers the values of a flag, also behind =', async () => {
  expect(await offered('serve', '--auth', '')).toEqual(['open', 'key', 'login'])
  expect(await offered('serve', '--auth', '=', 'k')).toEqual(['key'])
  expect(await offered('init', '--runner', 'v')).toEqual(['vitest'])
})

it('leaves files to the shell where there is no list', async () => {
  expect(await offered('serve', '--fixture', '')).toEqual(['FILES'])
  expect(await offered('fixture', 'check', 'my')).toEqual(['FILES'])
  expect(await offered('doctor', '')).toEqual(['FILES'])
})

it('is registered for both names of the program', async () => {
  const { out } = await runCommand(['completion', 'bash'])

  expect(out).toContain('\ncomplete -o default -F _pipeline_understudy pipeline-understudy understudy\n')
})

it.each([
  ['zsh', "'serve --auth') compadd -- 'open' 'key' 'login'; return ;;"],
  ['fish', "-l auth -x -a 'open key login' -d 'which credentials are checked'"],
])('says the same for %s', async (shell, line) => {
  expect((await runCommand(['completion', shell])).out).toContain(line)
})

it('refuses a shell that it does not know', async () => {
  const { code, err } = await runCommand(['completion', 'tcsh'])

  expect(err).toContain('Allowed choices are bash, zsh, fish.')
  expect(code).toBe(1)
})
