import { spawn } from 'node:child_process'
import { closeSync, openSync } from 'node:fs'
import { mkdir, mkdtemp, rename, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as wait } from 'node:timers/promises'
import { expect, it as itInParts, onTestFinished } from 'vitest'
import { firstOf, wholly } from './support/depth.ts'
import { freePort } from './support/free-port.ts'
import { root } from './support/root.ts'

const it = wholly(itInParts)

// What the machine does to a server: a log that nobody takes, a fixture that is exchanged in one of many ways.

const main = join(root, 'dist/cli/main.js')

async function until(holds: () => boolean | Promise<boolean>): Promise<void> {
  const end = Date.now() + 10_000
  while (!(await holds())) {
    if (Date.now() > end) throw new Error('What was waited for has not come.')
    await wait(20)
  }
}

async function pipelinesAt(url: string, world = 'main'): Promise<string[]> {
  const headers = { 'x-understudy-world': world }
  const reply = await fetch(`${url}/api/pipelines`, { headers }).catch(() => undefined)
  if (reply === undefined) return []
  return ((await reply.json()) as { pipelines: { uuid: string }[] }).pipelines.map(({ uuid }) => uuid)
}

/** Starts a server whose output goes where it is told, and waits until it answers. */
async function serve(args: readonly string[], output: number | 'pipe' = 'pipe') {
  const port = await freePort()
  const child = spawn(process.execPath, [main, 'serve', '--port', String(port), ...args], {
    stdio: ['ignore', output, 'pipe'],
  })
  onTestFinished(() => void child.kill('SIGKILL'))
  const text = { out: '', err: '' }
  child.stdout?.on('data', (chunk) => {
    text.out += chunk
  })
  child.stderr!.on('data', (chunk) => {
    text.err += chunk
  })
  const url = `http://127.0.0.1:${port}`
  await until(async () => (await pipelinesAt(url)).length > 0 || child.exitCode !== null)
  return { child, url, text }
}

async function temporaryFolder(): Promise<string> {
  const folder = await mkdtemp(join(tmpdir(), 'understudy-serve-'))
  onTestFinished(() => rm(folder, { recursive: true, force: true }))
  return folder
}

const json = { 'content-type': 'application/json' }
const fixtureOf = (name: string) => JSON.stringify({ pipelines: [{ name }] })

it.runIf(process.platform === 'linux')('goes on when the disk of its log is full, and says so', async () => {
  const full = openSync('/dev/full', 'w')
  const { url, text } = await serve(['--fixture', 'demo'], full)
  closeSync(full)
  for (let times = 0; times < 3; times++) expect((await pipelinesAt(url)).length).toBeGreaterThan(0)

  expect(text.err).toMatch(/^The log drops lines: ENOSPC.* The server continues\.\n$/)
})

it('goes on when nobody reads its log any more', async () => {
  const { child, url, text } = await serve(['--fixture', 'demo', '--json'])
  child.stdout!.destroy()
  for (let times = 0; times < 3; times++) expect((await pipelinesAt(url)).length).toBeGreaterThan(0)
  await until(() => text.err !== '')

  expect(text.err).toMatch(/^The log drops lines: .*EPIPE.* The server continues\.\n$/)
})

it('keeps a bounded log for a reader that stands still, and counts what it drops', async () => {
  const { child, url, text } = await serve(['--fixture', 'demo', '--json'])
  child.stdout!.pause()
  const query = 'x'.repeat(8_000)
  for (let sent = 0; sent < 320; sent += 16) {
    await Promise.all(Array.from({ length: 16 }, () => fetch(`${url}/api/pipelines?${query}`)))
  }
  await until(() => text.err !== '')
  child.stdout!.resume()
  await wait(300)
  await pipelinesAt(url)
  await until(() => text.out.includes('"dropped"'))

  const [, dropped] = /\{"dropped":(\d+)\}/.exec(text.out) ?? []
  const written = text.out.split('\n').filter((line) => line.includes(query)).length
  expect(written + Number(dropped)).toBe(320)
})

it('takes another fixture when its whole folder is replaced', async () => {
  const folder = await temporaryFolder()
  const file = join(folder, 'current', 'fixture.json')
  await mkdir(join(folder, 'current'))
  await writeFile(file, fixtureOf('one'))
  const { url } = await serve(['--fixture', file, '--watch'])
  await mkdir(join(folder, 'next'))
  await writeFile(join(folder, 'next', 'fixture.json'), fixtureOf('two'))
  await rename(join(folder, 'current'), join(folder, 'old'))
  await rename(join(folder, 'next'), join(folder, 'current'))
  await until(async () => (await pipelinesAt(url))[0] === 'two')

  expect(await pipelinesAt(url)).toEqual(['two'])
})

itInParts.each(
  firstOf<[string, string[], RegExp]>(1, [
    ['--watch', ['hers', 'one'], / 1 other world does not change; --watch=all reloads/],
    ['--watch=all', ['two'], /Reloaded \S+\.\n/],
  ]),
)('logs with %s which worlds are not reloaded', async (flag, hers, said) => {
  const file = join(await temporaryFolder(), 'fixture.json')
  await writeFile(file, fixtureOf('one'))
  const { url, text } = await serve(['--fixture', file, flag])
  const body = JSON.stringify({ pipeline: { name: 'hers', type: 'python' } })
  await fetch(`${url}/api/pipelines`, {
    method: 'POST',
    headers: { ...json, 'x-understudy-world': 'alice' },
    body,
  })
  await writeFile(file, fixtureOf('two'))
  await until(() => said.test(text.out))

  expect(await pipelinesAt(url)).toEqual(['two'])
  expect((await pipelinesAt(url, 'alice')).sort()).toEqual(hers)
})
