import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { existsSync, readFileSync } from 'node:fs'
import { appendFile, mkdir, mkdtemp, rename, rm, symlink, writeFile } from 'node:fs/promises'
import { get } from 'node:http'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as wait } from 'node:timers/promises'
import { afterAll, beforeAll, expect, it as itInParts, onTestFinished } from 'vitest'
import { firstOf, wholly } from './support/depth.ts'
import { freePort } from './support/free-port.ts'
import { root } from './support/root.ts'

const it = wholly(itInParts)

const main = join(root, 'dist/cli/main.js')
let folder: string

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'understudy-command-'))
})

afterAll(async () => {
  await rm(folder, { recursive: true, force: true })
})

// ── Helpers ─────────────────────────────────────────────────────────────────────────────────────────────────────────

interface EndedProcess {
  readonly code: number | null
  readonly out: string
  readonly err: string
}

function command(args: readonly string[], env: Readonly<Record<string, string | undefined>> = {}) {
  const { REQUIRE_USER_AUTHENTICATION: _, NO_COLOR: __, FORCE_COLOR: ___, ...inherited } = process.env
  const child = spawn(process.execPath, [main, ...args], { cwd: folder, env: { ...inherited, ...env } })
  const text = { out: '', err: '' }
  child.stdout.on('data', (chunk: Buffer) => {
    text.out += chunk.toString()
  })
  child.stderr.on('data', (chunk: Buffer) => {
    text.err += chunk.toString()
  })
  const ended = once(child, 'close').then(
    ([code]): EndedProcess => ({ code: code as number | null, ...text }),
  )
  return { child, text, ended }
}

/** Runs a command that ends by itself; one that does not is stopped, and its code is null. */
async function runToEnd(...args: string[]): Promise<EndedProcess> {
  const { child, ended } = command(args)
  const timer = setTimeout(() => child.kill('SIGKILL'), 20_000)
  return ended.finally(() => clearTimeout(timer))
}

/** Starts a server and waits until it has said where it listens, and all of its banner. */
async function serve(args: readonly string[], env: Readonly<Record<string, string | undefined>> = {}) {
  const started = command(['serve', '--port', '0', ...args], env)
  onTestFinished(() => void started.child.kill('SIGKILL'))
  const isQuietAfter = args.includes('--json') ? /"listening"[^\n]*\n/ : /listens on[\s\S]*\n\n[\s\S]*\n\n/
  await until(() => isQuietAfter.test(started.text.out) || started.text.err !== '')
  const url = /http:\/\/[^\s"']+:\d+/.exec(started.text.out)?.[0]
  if (url === undefined) throw new Error(`It does not listen: ${started.text.out}${started.text.err}`)
  return {
    ...started,
    url,
    lines: () => started.text.out.split('\n').filter((line) => line.trim() !== ''),
  }
}

async function until(holds: () => boolean | Promise<boolean>, milliseconds = 20_000): Promise<void> {
  const end = Date.now() + milliseconds
  while (!(await holds())) {
    if (Date.now() > end) throw new Error('What was waited for has not come.')
    await wait(20)
  }
}

async function fixtureFile(name: string, fixture: unknown): Promise<string> {
  const path = join(folder, name)
  await writeFile(path, typeof fixture === 'string' ? fixture : JSON.stringify(fixture))
  return path
}

async function pipelinesAt(url: string): Promise<string[]> {
  const reply = (await (await fetch(`${url}/api/pipelines`)).json()) as { pipelines: { uuid: string }[] }
  return reply.pipelines.map(({ uuid }) => uuid)
}

// ── The log ─────────────────────────────────────────────────────────────────────────────────────────────────────────

it('writes lines of JSON with --json, and nothing else', async () => {
  const file = await fixtureFile('logged.json', { pipelines: [{ name: 'a' }] })
  const { url, lines } = await serve(['--json', '--fixture', file, '--watch'])
  await fetch(`${url}/api/pipelines/a`)
  await fetch(`${url}/api/pipelines/b`)
  await fixtureFile('logged.json', { pipelines: [{ name: 'b' }] })
  await until(async () => (await pipelinesAt(url)).includes('b'))
  await wait(100)

  expect(() => lines().map((line) => JSON.parse(line) as unknown)).not.toThrow()
  const parsed = lines().map((line) => JSON.parse(line) as unknown)
  expect(parsed.slice(0, 3)).toEqual([
    { listening: url, auth: 'open' },
    {
      status: 200,
      operation: 'readPipeline',
      method: 'GET',
      url: '/api/pipelines/a',
      milliseconds: expect.any(Number),
      world: 'main',
    },
    {
      status: 404,
      operation: 'readPipeline',
      method: 'GET',
      url: '/api/pipelines/b',
      milliseconds: expect.any(Number),
      world: 'main',
    },
  ])
})

it('is silent with --quiet', async () => {
  const port = await freePort()
  const file = await fixtureFile('quiet.json', { pipelines: [{ name: 'a' }] })
  const { child, text } = command(['serve', '--quiet', '--port', String(port), '--fixture', file, '--watch'])
  onTestFinished(() => void child.kill('SIGKILL'))
  const url = `http://127.0.0.1:${port}`
  await until(() =>
    fetch(`${url}/api/pipelines`).then(
      () => true,
      () => false,
    ),
  )
  await fetch(`${url}/api/nothing`)
  await fixtureFile('quiet.json', { pipelines: [{ name: 'b' }] })
  await until(async () => (await pipelinesAt(url)).includes('b'))
  await wait(100)

  expect(text).toEqual({ out: '', err: '' })
})

// ── Starting and ending ─────────────────────────────────────────────────────────────────────────────────────────────

it('ends its process with 1 where it is called wrongly, and with 0 where it is asked for help', async () => {
  const [wrong, help] = await Promise.all([runToEnd('serve', '--prot', '1'), runToEnd('serve', '--help')])

  expect(wrong).toMatchObject({
    code: 1,
    out: '',
    err: expect.stringMatching(/^error: unknown option '--prot'\n/),
  })
  expect(help).toMatchObject({
    code: 0,
    out: expect.stringMatching(/^Usage: pipeline-understudy serve /),
    err: '',
  })
})

itInParts.each(firstOf(2, ['SIGTERM', 'the end of its input', 'SIGINT'] as const))(
  'ends at once with 0 on %s, with connections open and a reply waiting',
  async (sign) => {
    const flags = ['--fixture', 'empty', '--latency', '30000', '--until-stdin-ends']
    const { url, child, ended } = await serve(flags)
    const request = get(`${url}/api/pipelines`, { agent: false })
    request.on('error', () => {})
    await once(request, 'socket')
    await wait(100)
    const start = Date.now()
    if (sign === 'the end of its input') child.stdin.end()
    else child.kill(sign)
    const { code, err } = await ended

    expect({ code, err }).toEqual({ code: 0, err: '' })
    // Long before the reply would come.
    expect(Date.now() - start).toBeLessThan(15_000)
  },
)

it.runIf(process.platform === 'linux')('opens its page where there is a display', async () => {
  const opener = join(folder, 'xdg-open')
  await writeFile(opener, `#!/bin/sh\necho "$1" > ${join(folder, 'opened')}\n`, { mode: 0o755 })
  const { url } = await serve(['--open'], { DISPLAY: ':99', PATH: `${folder}:${process.env.PATH}` })
  const opened = () =>
    existsSync(join(folder, 'opened')) ? readFileSync(join(folder, 'opened'), 'utf8') : ''
  await until(() => opened() !== '')
  const withoutOpener = await serve(['--open'], { DISPLAY: ':99', PATH: '/nowhere' })

  await until(() => withoutOpener.text.err !== '')
  const withoutDisplay = await serve(['--open'], { DISPLAY: undefined, WAYLAND_DISPLAY: undefined })
  await until(() => withoutDisplay.text.err !== '')

  expect(opened()).toBe(`${url}/\n`)
  expect(withoutOpener.text.err).toBe(
    `Cannot open the panel: running xdg-open failed. Its address is ${withoutOpener.url}/\n`,
  )
  expect(withoutDisplay.text.err).toBe(
    `Cannot open the panel: there is no display. Its address is ${withoutDisplay.url}/\n`,
  )
})

// ── Fixtures ────────────────────────────────────────────────────────────────────────────────────────────────────────

it('loads the fixture again when its file changes, and keeps the state where it is broken', async () => {
  const file = await fixtureFile('watched.json', { pipelines: [{ name: 'one' }] })
  const { url, text } = await serve(['--fixture', file, '--watch'])
  expect(await pipelinesAt(url)).toEqual(['one'])

  await fixtureFile('watched.json', { pipelines: [{ name: 'two' }] })
  await until(async () => (await pipelinesAt(url))[0] === 'two')
  await until(() => text.out.includes(`Reloaded ${file}.`))

  await fixtureFile('watched.json', { pipelines: [{ name: 'three', type: 'ruby' }] })
  await until(() =>
    /watched\.json is broken at \$\.pipelines\[0\]\.type: .* The state is unchanged\./.test(
      text.out + text.err,
    ),
  )
  expect(await pipelinesAt(url)).toEqual(['two'])

  await fixtureFile('watched.json', '')
  await until(() => /it is not valid JSON.* The state is unchanged\./.test(text.out + text.err))
  await fixtureFile('watched.json', { pipelines: [{ name: 'four' }] })
  await until(async () => (await pipelinesAt(url))[0] === 'four')
  await appendFile(file, '\n')
})

it('follows a fixture through links whose folders are replaced, as Kubernetes mounts a ConfigMap', async () => {
  const folder = await mkdtemp(join(tmpdir(), 'understudy-mounted-'))
  onTestFinished(() => rm(folder, { recursive: true, force: true }))
  const publish = async (version: string) => {
    await mkdir(join(folder, version))
    await writeFile(join(folder, version, 'fixture.json'), JSON.stringify({ pipelines: [{ name: version }] }))
    await symlink(version, join(folder, '..data_new'))
    await rename(join(folder, '..data_new'), join(folder, '..data'))
  }
  await publish('one')
  await symlink('..data/fixture.json', join(folder, 'fixture.json'))
  const { url } = await serve(['--fixture', join(folder, 'fixture.json'), '--watch'])

  expect(await pipelinesAt(url)).toEqual(['one'])
  for (const version of ['two', 'three']) {
    await publish(version)
    await until(async () => (await pipelinesAt(url))[0] === version)
  }
  expect(await pipelinesAt(url)).toEqual(['three'])
})

it('notices every time that an editor puts a new file in the place of the fixture', async () => {
  const file = await fixtureFile('replaced.json', { pipelines: [{ name: 'zero' }] })
  const { url } = await serve(['--fixture', file, '--watch'])
  for (const name of ['one', 'two', 'three']) {
    await rename(await fixtureFile('replaced.json.swp', { pipelines: [{ name }] }), file)
    await until(async () => (await pipelinesAt(url))[0] === name)
  }
  expect(await pipelinesAt(url)).toEqual(['three'])
})
