// Promises of `serve --state`: see docs/state.md.
import { type ChildProcess, execFileSync, spawn } from 'node:child_process'
import { once } from 'node:events'
import { existsSync, mkdirSync, mkdtempSync, readFileSync, rmdirSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { createInterface } from 'node:readline'
import { afterAll, expect, it } from 'vitest'
import { isThorough, thoroughly } from './support/depth.ts'
import { root } from './support/root.ts'

const folder = mkdtempSync(join(tmpdir(), 'understudy-crash-'))
const processes = new Set<ChildProcess>()

afterAll(() => {
  for (const child of processes) child.kill('SIGKILL')
  rmSync(folder, { recursive: true, force: true })
})

const fixture = join(folder, 'fixture.json')
writeFileSync(fixture, JSON.stringify({ pipelines: [{ name: 'common' }] }))

function newFile(): string {
  return join(mkdtempSync(join(folder, 'case-')), 'state.json')
}

/** Starts a server; `url` is undefined where it has ended instead. */
async function start(file: string) {
  const args = ['serve', '--port', '0', '--quiet', '--json', '--state', file, '--fixture', fixture]
  const child = spawn(process.execPath, [join(root, 'dist/cli/main.js'), ...args])
  processes.add(child)
  const ended = once(child, 'close').then(([code, signal]) => signal ?? code)
  let stderr = ''
  child.stderr.on('data', (text: Buffer) => {
    stderr += text.toString()
  })
  const events: string[] = []
  const lines = createInterface({ input: child.stdout })
  const listening = new Promise<string>((resolve) => {
    lines.on('line', (line) => {
      const { listening: url, state } = JSON.parse(line)
      if (state !== undefined) events.push(state)
      if (url !== undefined) resolve(url)
    })
  })
  const url = await Promise.race([listening, ended.then(() => undefined)])
  return {
    url,
    pid: child.pid,
    events,
    ended,
    errors: () => stderr,
    async sees(event: string): Promise<void> {
      while (!events.includes(event)) await once(lines, 'line')
    },
    end(signal: NodeJS.Signals): Promise<unknown> {
      child.kill(signal)
      return ended
    },
  }
}

async function createBackfill(url: string | undefined, name: string, world = 'main'): Promise<void> {
  const reply = await fetch(`${url}/api/pipelines/common/backfills`, {
    method: 'POST',
    headers: { 'content-type': 'application/json', 'x-understudy-world': world },
    body: JSON.stringify({ backfill: { name } }),
  })
  if (!reply.ok) throw new Error(await reply.text())
}

async function backfillsOf(url: string | undefined, world = 'main'): Promise<string[]> {
  const reply = await fetch(`${url}/api/pipelines/common/backfills?_limit=100000`, {
    headers: { 'x-understudy-world': world },
  })
  const { backfills } = (await reply.json()) as { backfills: { id: number; name: string }[] }
  return backfills.toSorted((one, other) => one.id - other.id).map(({ name }) => name)
}

it.concurrent('loses at most the last second when it is killed', async () => {
  const file = newFile()
  const worlds = Array.from({ length: isThorough ? 20 : 10 }, (_, index) => `world-${index}`)
  // The names that each world must have, each with the time of its acknowledgement.
  const created = new Map(worlds.map((world) => [world, [] as { name: string; at: number }[]]))
  for (let round = 0; round < (isThorough ? 2 : 1); round++) {
    const server = await start(file)
    await Promise.race([server.sees('created'), server.sees('loaded')])
    let isKilled = false
    const load = [...created].map(async ([world, acknowledged]) => {
      while (!isKilled) {
        const name = `${round}-${acknowledged.length}`
        const isAcknowledged = await createBackfill(server.url, name, world).then(
          () => true,
          () => false,
        )
        if (isAcknowledged) acknowledged.push({ name, at: Date.now() })
        // Other tests need the processor too.
        await new Promise((resolve) => setTimeout(resolve, 10))
      }
    })
    await new Promise((resolve) => setTimeout(resolve, 1_500 + Math.random() * 1_000))
    isKilled = true
    const killedAt = Date.now()
    await server.end('SIGKILL')
    await Promise.all(load)

    const next = await start(file)
    for (const [world, acknowledged] of created) {
      const found = await backfillsOf(next.url, world)
      // The last request may have been carried out without an answer.
      const expected = acknowledged.map(({ name }) => name)
      expect(found.slice(0, expected.length), `${world}: a gap, or another order`).toEqual(
        expected.slice(0, found.length),
      )
      expect(found.length).toBeLessThanOrEqual(expected.length + 1)
      // A second, and another one because this machine runs other tests.
      const old = acknowledged.filter(({ at }) => at < killedAt - 2_000).map(({ name }) => name)
      expect(found).toEqual(expect.arrayContaining(old))
      created.set(
        world,
        found.map((name) => ({ name, at: 0 })),
      )
    }
    expect(next.events.filter((event) => event !== 'waiting')).toEqual(['loaded'])
    await next.end('SIGTERM')
  }
})

/** Lets no file grow beyond 300 bytes, which fails in the middle of a write as a full disk does. */
const limitFiles = (pid: number | undefined, limit: string) =>
  execFileSync('prlimit', ['--pid', String(pid), `--fsize=${limit}:`], { stdio: 'ignore' })

/** Without `prlimit`, a folder replaces the draft. */
const disks = {
  limited: {
    fill: (pid: number | undefined) => limitFiles(pid, '300'),
    free: (pid: number | undefined) => limitFiles(pid, 'unlimited'),
  },
  blocked: {
    fill: (_: number | undefined, file: string) => void mkdirSync(`${file}.tmp`),
    free: (_: number | undefined, file: string) => rmdirSync(`${file}.tmp`),
  },
}

function hasPrlimit(): boolean {
  try {
    execFileSync('prlimit', ['--version'], { stdio: 'ignore' })
    return true
  } catch {
    return false
  }
}

it.concurrent('serves while the disk is full, and saves when there is room again', async () => {
  const file = newFile()
  const disk = hasPrlimit() ? disks.limited : disks.blocked
  const server = await start(file)
  await createBackfill(server.url, 'first')
  await expect.poll(() => (existsSync(file) ? readFileSync(file, 'utf8') : '')).toContain('"first"')
  const before = readFileSync(file)
  disk.fill(server.pid, file)
  await createBackfill(server.url, 'second')
  await server.sees('failed')
  await createBackfill(server.url, 'third')
  await new Promise((resolve) => setTimeout(resolve, 1_200))
  expect(server.events).toEqual(['created', 'failed'])
  expect(readFileSync(file)).toEqual(before)
  disk.free(server.pid, file)
  await server.sees('recovered')
  expect(await server.end('SIGTERM')).toBe(0)

  const next = await start(file)
  expect(await backfillsOf(next.url)).toEqual(['first', 'second', 'third'])
  const last = readFileSync(file)
  disk.fill(next.pid, file)
  await createBackfill(next.url, 'lost')
  expect(await next.end('SIGTERM')).toBe(1)
  expect(next.errors()).toContain('The last changes could not be saved')
  expect(readFileSync(file)).toEqual(last)
})

// The second server waits as long as a killed one would hold the lock.
thoroughly(it).concurrent('refuses a second server on the same file', async () => {
  const file = newFile()
  const both = await Promise.all([start(file), start(file)])
  const [refused, serving] = both.toSorted((one) => (one.url === undefined ? -1 : 1))
  expect([typeof refused?.url, typeof serving?.url]).toEqual(['undefined', 'string'])
  expect(await refused?.ended).toBe(1)
  expect(refused?.errors()).toContain(`${file} is used by another process.`)

  await serving?.end('SIGKILL')
  const next = await start(file)
  expect(next.events).toContain('waiting')
  expect(await next.end('SIGTERM')).toBe(0)
})
