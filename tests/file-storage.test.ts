import { execFileSync, spawnSync } from 'node:child_process'
import {
  chmod,
  copyFile,
  link,
  lstat,
  mkdir,
  mkdtemp,
  readdir,
  readFile,
  rm,
  rmdir,
  stat,
  symlink,
  unlink,
  writeFile,
} from 'node:fs/promises'
import { hostname, tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, it, onTestFinished } from 'vitest'
import { createUnderstudy, type StorageEvent, type Understudy } from '../src/index.ts'
import { fileStorage } from '../src/storage/file.ts'
import { company } from './support/company.ts'

/** A folder for the length of a test; tests side by side say themselves when they end, here and below. */
async function temporaryFolder(whenOver = onTestFinished): Promise<string> {
  const folder = await mkdtemp(join(tmpdir(), 'understudy-state-'))
  whenOver(() => rm(folder, { recursive: true, force: true }))
  return folder
}

async function open(
  file: string,
  whenOver = onTestFinished,
): Promise<{ understudy: Understudy; events: StorageEvent[] }> {
  const events: StorageEvent[] = []
  const storage = fileStorage(file)
  const understudy = createUnderstudy({ fixture: company, storage, onStorage: (event) => events.push(event) })
  whenOver(() => understudy.close().catch(() => undefined))
  await understudy.ready
  return { understudy, events }
}

/** Why a file cannot be used. */
async function refusalOf(file: string, whenOver = onTestFinished): Promise<string> {
  return open(file, whenOver).then(
    () => 'it was taken',
    (error: { code: string; message: string }) => `${error.code} ${error.message}`,
  )
}

async function until(holds: () => boolean | Promise<boolean>): Promise<void> {
  while (!(await holds())) await new Promise((wake) => setTimeout(wake, 5))
}

const has = async (file: string, text: string) =>
  (await readFile(file, 'utf8').catch(() => '')).includes(text)

/** The lock of a process that is over. */
function lockOfTheDead(): string {
  const { pid } = spawnSync(process.execPath, ['-e', ''])
  return JSON.stringify({ id: 'x', pid, machine: 'MACHINE', since: new Date().toISOString() })
}

it('keeps the state in a file that nobody else may read, and leaves nothing else behind', async () => {
  const folder = await temporaryFolder()
  const file = join(folder, 'state.json')
  const { understudy, events } = await open(file)
  await understudy.factories.pipeline.create({ name: 'kept' })
  await until(() => has(file, '"uuid":"kept"'))
  expect((await stat(file)).mode & 0o777).toBe(0o600)
  expect((await readdir(folder)).sort()).toEqual(['state.json', 'state.json.lock'])
  expect((await stat(`${file}.lock`)).mode & 0o777).toBe(0o600)
  await understudy.close()

  expect(await readdir(folder)).toEqual(['state.json'])
  const { format, version, savedAt } = JSON.parse(await readFile(file, 'utf8'))
  expect([format, version]).toEqual(['understudy-state', 2])
  const next = await open(file)
  expect(next.understudy.model.pipelines.count()).toBe(3)
  const text = `State of ${savedAt.slice(0, 19).replace('T', ' ')} UTC, 1 world, from ${file}.`
  expect(next.events).toEqual([{ kind: 'loaded', text, savedAt, worlds: 1 }])
  expect(events).toMatchObject([{ kind: 'begun' }])
})

it('refuses a file that another understudy uses, in this process or another', async () => {
  const file = join(await temporaryFolder(), 'state.json')
  const { understudy } = await open(file)
  const refusal = await refusalOf(file)
  expect(refusal).toContain(
    `STATE_IN_USE [understudy] ${file} is used by process ${process.pid} on ${hostname()}`,
  )
  await understudy.close()

  expect(await refusalOf(file)).toBe('it was taken')
})

it('takes over what a process was killed over, and passes over the ids it may have given', async () => {
  const file = join(await temporaryFolder(), 'state.json')
  const first = await open(file)
  const made = await first.understudy.factories.backfill.create({ pipeline_uuid: 'daily_sales' })
  const { machine } = JSON.parse(await readFile(`${file}.lock`, 'utf8'))
  await first.understudy.close()
  await writeFile(`${file}.lock`, lockOfTheDead().replace('MACHINE', machine))
  await writeFile(`${file}.tmp`, 'half of a sta')

  const { understudy } = await open(file)
  // As it is when the next one is killed at once.
  const other = `${file}-too`
  await copyFile(file, other)
  await writeFile(`${other}.lock`, lockOfTheDead().replace('MACHINE', machine))
  const create = (world: string) =>
    understudy.world(world).factories.backfill.create({ pipeline_uuid: 'archive' })
  expect((await create('main')).id).toBe(made.id + 10_001)
  expect((await create('main')).id).toBe(made.id + 10_002)
  understudy.reset()
  expect((await create('main')).id).toBe(made.id)
  const next = await open(other)
  const later = await next.understudy.factories.backfill.create({ pipeline_uuid: 'archive' })
  expect(later.id).toBe(made.id + 20_001)
})

it('takes over a lock whose process number is another process now', async () => {
  const file = join(await temporaryFolder(), 'state.json')
  const { understudy } = await open(file)
  const lock = JSON.parse(await readFile(`${file}.lock`, 'utf8'))
  await understudy.close()
  await writeFile(`${file}.lock`, JSON.stringify({ ...lock, began: '1', since: '2001-01-01T00:00:00.000Z' }))

  expect(await refusalOf(file)).toBe('it was taken')
})

it('sets a torn file aside under a name of its own, whatever stands there', async () => {
  const folder = await temporaryFolder()
  const file = join(folder, 'state.json')
  await (await open(file)).understudy.close()
  const torn = (await readFile(file)).subarray(0, 400)
  await writeFile(file, torn)
  const { understudy, events } = await open(file)
  await understudy.close()

  const [aside] = (await readdir(folder)).filter((name) => name.includes('torn'))
  expect(aside).toMatch(/^state\.json\.torn-\d{4}-\d\d-\d\dT\d\d-\d\d-\d\d\.\d{3}Z$/)
  expect(await readFile(join(folder, aside!))).toEqual(torn)
  expect(events).toMatchObject([{ kind: 'set aside', text: expect.stringContaining(aside!) }])
  expect(await has(file, 'understudy-state')).toBe(true)
})

it('keeps the state behind a link where the link leads', async () => {
  const folder = await temporaryFolder()
  const real = join(folder, 'real.json')
  await (await open(real)).understudy.close()
  const file = join(folder, 'link.json')
  await symlink(real, file)
  const { understudy } = await open(file)
  await understudy.factories.pipeline.create({ name: 'behind' })
  await understudy.close()

  expect(await has(real, '"uuid":"behind"')).toBe(true)
  expect((await readdir(folder)).sort()).toEqual(['link.json', 'real.json'])
})

it('says of a file with other names that it has them, and parts from them with the first write', async () => {
  const folder = await temporaryFolder()
  const [file, other] = [join(folder, 'state.json'), join(folder, 'other.json')]
  await (await open(file)).understudy.close()
  await link(file, other)
  const { understudy, events } = await open(file)
  const second = await open(other)
  await understudy.factories.pipeline.create({ name: 'behind' })
  await understudy.close()
  await second.understudy.close()

  expect(events.map(({ kind }) => kind)).toEqual(['linked', 'loaded'])
  expect(events[0]!.text).toBe(
    `${file} has 2 names (hard links): what is written stands under this one alone, and who uses another has a state of their own.`,
  )
  expect(await has(file, '"uuid":"behind"')).toBe(true)
  expect(await has(other, '"uuid":"behind"')).toBe(false)
})

it('keeps the state where a link leads, also where nothing is there yet', async () => {
  const folder = await temporaryFolder()
  await mkdir(join(folder, 'volume'))
  await symlink('volume', join(folder, 'current'))
  await symlink('current/real.json', join(folder, 'link.json'))
  const { understudy } = await open(join(folder, 'link.json'))
  await understudy.close()

  expect(await has(join(folder, 'volume/real.json'), 'understudy-state')).toBe(true)
  expect((await lstat(join(folder, 'link.json'))).isSymbolicLink()).toBe(true)
  await symlink('nowhere/real.json', join(folder, 'lost.json'))
  expect(await refusalOf(join(folder, 'lost.json'))).toContain(`There is no folder ${folder}/nowhere`)
})

it.each([
  ['something else', (text: string) => `${text} `],
  ['an earlier state', (text: string) => text.replace(/"checksum":"./, '"checksum":"_')],
])('sets aside what somebody has put in the place of its file: %s', async (_, change) => {
  const folder = await temporaryFolder()
  const file = join(folder, 'state.json')
  await (await open(file)).understudy.close()
  const { understudy, events } = await open(file)
  const theirs = change(await readFile(file, 'utf8'))
  await writeFile(file, theirs)
  await understudy.factories.pipeline.create({ name: 'ours' })
  await until(() => has(file, '"uuid":"ours"'))
  await understudy.factories.pipeline.create({ name: 'again' })
  await understudy.close()

  const asides = (await readdir(folder)).filter((name) => name !== 'state.json')
  expect(asides).toEqual([expect.stringMatching(/^state\.json\.replaced-/)])
  expect(await readFile(join(folder, asides[0]!), 'utf8')).toBe(theirs)
  expect(events.slice(1)).toEqual([
    {
      kind: 'set aside',
      text: `Somebody else has changed or replaced ${file}: what they put there is set aside as ${file}${asides[0]!.slice('state.json'.length)}, and the state of this process is kept.`,
    },
  ])
})

it('keeps the state where somebody has put a pipe in its place, which is set aside', async () => {
  const folder = await temporaryFolder()
  const file = join(folder, 'state.json')
  const { understudy } = await open(file)
  await until(() => has(file, 'understudy-state'))
  await unlink(file)
  execFileSync('mkfifo', [file])
  await understudy.factories.pipeline.create({ name: 'again' })
  await understudy.close()

  expect(await has(file, '"uuid":"again"')).toBe(true)
  expect((await readdir(folder)).map((name) => name.replace(/-\d.*/, ''))).toEqual([
    'state.json',
    'state.json.replaced',
  ])
})

it('says what is wrong with a path', async () => {
  const folder = await temporaryFolder()
  await writeFile(join(folder, 'fixture.json'), JSON.stringify(company))

  expect(await refusalOf(join(folder, 'none/state.json'))).toBe(
    `STATE_REFUSED [understudy] There is no folder ${folder}/none for the state ${folder}/none/state.json. Make it first.`,
  )
  expect(await refusalOf(folder)).toBe(
    `STATE_REFUSED [understudy] ${folder} is a folder. Name a file in it for the state: ${folder}/state.json.`,
  )
  expect(await refusalOf('/dev/null')).toBe(
    'STATE_REFUSED [understudy] /dev/null is no file that a state can be kept in.',
  )
  expect(await refusalOf(join(folder, 'fixture.json'))).toBe(
    `STATE_REFUSED [understudy] ${folder}/fixture.json: It is not the state of an understudy. It is left as it is.`,
  )
  expect(await readdir(folder)).toEqual(['fixture.json'])
  expect(() => fileStorage('')).toThrow('expected a path that is not empty')
})

// ── What waits, side by side ───────────────────────────────────────────────────────────────────────────────────────

it.concurrent('refuses the lock of another machine as long as that says it is alive', async ({
  onTestFinished,
}) => {
  const file = join(await temporaryFolder(onTestFinished), 'state.json')
  const lock = JSON.stringify({ id: 'x', pid: 1, machine: 'elsewhere', since: '2026-01-31T12:00:00.000Z' })
  await writeFile(`${file}.lock`, lock)
  const beat = setInterval(() => void writeFile(`${file}.lock`, lock), 100)
  onTestFinished(() => clearInterval(beat))

  expect(await refusalOf(file, onTestFinished)).toContain(
    'is used by process 1 on elsewhere, since 2026-01-31T12:00:00.000Z.',
  )
})

it.concurrent('stops writing where somebody has taken the file over all the same', async ({
  onTestFinished,
}) => {
  const file = join(await temporaryFolder(onTestFinished), 'state.json')
  const { understudy, events } = await open(file, onTestFinished)
  await until(() => has(file, 'understudy-state'))
  const before = await readFile(file, 'utf8')
  const lock = JSON.parse(await readFile(`${file}.lock`, 'utf8'))
  await writeFile(`${file}.lock`, JSON.stringify({ ...lock, id: 'another' }))
  await understudy.factories.pipeline.create({ name: 'late' })
  await until(() => events.length > 1)

  expect(events[1]).toMatchObject({ kind: 'failed', text: expect.stringContaining('is used by process') })
  expect(await readFile(file, 'utf8')).toBe(before)
  await expect(understudy.close()).rejects.toThrow('The last changes could not be kept')
  expect(await readFile(`${file}.lock`, 'utf8')).toContain('another')
})

it.concurrent('says that it waits for the owner of a lock, and which lock cannot be one', async ({
  onTestFinished,
}) => {
  const folder = await temporaryFolder(onTestFinished)
  const file = join(folder, 'state.json')
  await writeFile(`${file}.lock`, '')
  const told: StorageEvent[] = []
  const waiting = createUnderstudy({
    fixture: company,
    storage: fileStorage(file),
    onStorage: (event) => {
      told.push(event)
      // Somebody else is alive.
      setTimeout(() => void writeFile(`${file}.lock`, '{}'), 100)
    },
  })
  await expect(waiting.ready).rejects.toMatchObject({ code: 'STATE_IN_USE' })
  expect(told).toEqual([
    {
      kind: 'waiting',
      text: `${file} may be used by another process, which has 10 seconds to show that it is alive. (${file}.lock says so.)`,
    },
  ])
  await unlink(`${file}.lock`)
  await mkdir(`${file}.lock`)
  expect(await refusalOf(file, onTestFinished)).toMatch(
    new RegExp(
      `^STATE_REFUSED \\[understudy\\] ${file}\\.lock cannot be used: EISDIR: .*\\. Take it away\\.$`,
    ),
  )
})

it.concurrent('goes on where nothing can be written, says so once, and catches up', async ({
  onTestFinished,
}) => {
  const folder = await temporaryFolder(onTestFinished)
  const file = join(folder, 'state.json')
  const { understudy, events } = await open(file, onTestFinished)
  await until(() => has(file, 'understudy-state'))
  // Nothing can be written where a folder stands, by no user.
  await mkdir(`${file}.tmp`)
  await understudy.factories.pipeline.create({ name: 'waits' })
  await until(() => events.length === 2)
  expect(events[1]).toMatchObject({ kind: 'failed', text: expect.stringContaining('It is tried again.') })
  await rmdir(`${file}.tmp`)
  await until(() => events.length === 3)
  expect(events[2]).toMatchObject({ kind: 'recovered' })

  expect(await has(file, '"uuid":"waits"')).toBe(true)
})

it.concurrent('begins in a folder that cannot be written to, and keeps the state when it can', async ({
  onTestFinished,
}) => {
  const folder = await temporaryFolder(onTestFinished)
  const file = join(folder, 'state.json')
  // Not even the lock can be made there.
  await chmod(folder, 0o500)
  const isRoot = process.getuid?.() === 0
  if (isRoot) await mkdir(`${file}.tmp`)
  const { understudy, events } = await open(file, onTestFinished)
  await until(() => events.length === 2)
  expect(events.map(({ kind }) => kind)).toEqual(['begun', 'failed'])
  await chmod(folder, 0o700)
  if (isRoot) await rmdir(`${file}.tmp`)
  await until(() => events.length === 3)
  await understudy.close()

  expect(await readdir(folder)).toEqual(['state.json'])
})

it.concurrent('keeps the state anew where somebody has taken its file and lock away', async ({
  onTestFinished,
}) => {
  const folder = await temporaryFolder(onTestFinished)
  const file = join(folder, 'state.json')
  const { understudy } = await open(file, onTestFinished)
  await until(() => has(file, 'understudy-state'))
  await unlink(file)
  await unlink(`${file}.lock`)
  await understudy.factories.pipeline.create({ name: 'again' })
  await until(() => has(file, '"uuid":"again"'))

  expect((await readdir(folder)).sort()).toEqual(['state.json', 'state.json.lock'])
})
