import { execFile } from 'node:child_process'
import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { expect, it } from 'vitest'
import { root } from './support/root.ts'
import { runCommand } from './support/run-command.ts'
import { makeFolder } from './support/temporary.ts'

const run = promisify(execFile)

/** Returns what is offered in the place of the last word; `FILES` where the shell completes files. */
async function offered(...typed: string[]): Promise<string[]> {
  const { code, out } = await runCommand(['complete', '--', ...typed])
  expect(code).toBe(out === '' ? 1 : 0)
  return out === '' ? ['FILES'] : out.trim().split('\n')
}

/** Returns what bash offers, by the script and the built command. */
async function offeredByBash(...typed: string[]): Promise<string> {
  const folder = makeFolder()
  await writeFile(join(folder, 'script.bash'), (await runCommand(['completion', 'bash'])).out)
  const main = join(root, 'dist/cli/main.js')
  const words = [main, ...typed].map((word) => `'${word}'`).join(' ')
  const script = `source script.bash
COMP_WORDS=(${words}); COMP_CWORD=${typed.length}
_pipeline_understudy '${main}'
printf '%s ' "\${COMPREPLY[@]}"`
  const { stdout } = await run('bash', ['--noprofile', '--norc', '-uc', script], { cwd: folder })
  return stdout.trim()
}

it('offers commands, and those below a command', async () => {
  expect(await offered('s')).toEqual(['serve', 'scenario'])
  expect(await offered('fixture', '')).toEqual(['new', 'check', 'generate', 'schema'])
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

it('completes behind = in a shell that does not split there', async () => {
  expect(await offered('serve', '--auth=k')).toEqual(['--auth=key'])
})

it('offers in bash what the command offers, and leaves the rest to it', async () => {
  expect(await offeredByBash('serve', '--auth', '')).toBe('open key login')
  expect(await offeredByBash('serve', '--auth', '=', 'k')).toBe('key')
  expect(await offeredByBash('fixture', '')).toBe('new check generate schema')
  expect(await offeredByBash('serve', '--fixture', '')).toBe('')
})

it.each([
  ['bash', 'complete -o default -F _pipeline_understudy pipeline-understudy understudy'],
  ['zsh', 'compdef _pipeline_understudy pipeline-understudy understudy'],
  ['fish', "complete -c understudy -f -a '(__pipeline_understudy)'"],
])('completes both names of the program in %s', async (shell, line) => {
  expect((await runCommand(['completion', shell])).out).toContain(`\n${line}\n`)
})

it('rejects an unknown shell', async () => {
  const { code, err } = await runCommand(['completion', 'tcsh'])

  expect(err).toContain('Allowed choices are bash, zsh, fish.')
  expect(code).toBe(1)
})
