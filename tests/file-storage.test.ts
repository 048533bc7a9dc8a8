import { lstat, mkdir, readdir, readFile, rm, stat, symlink, utimes, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { expect, it, onTestFinished, vi } from 'vitest'
import { fileStorage } from '../src/storage/file.ts'
import { company } from './support/company.ts'
import { openStored } from './support/memory-storage.ts'
import { makeFolder } from './support/temporary.ts'

async function open(file: string, whenFinished = onTestFinished) {
  const opened = await openStored(fileStorage(file))
  whenFinished(() => opened.understudy.close().catch(() => undefined))
  return opened
}

const until = (condition: () => boolean | Promise<boolean>) =>
  vi.waitUntil(condition, { timeout: 20_000, interval: 5 })

const has = async (file: string, text: string) =>
  (await readFile(file, 'utf8').catch(() => '')).includes(text)

it('stores the state in a file that only its owner can read, without other files', async () => {
  const folder = makeFolder()
  const file = join(folder, 'state.json')
  // A process that was killed while it wrote has left this.
  await writeFile(`${file}.tmp`, 'half of a sta')
  const { understudy, events } = await open(file)
  await understudy.factories.pipeline.create({ name: 'stored' })
  await until(() => has(file, '"uuid":"stored"'))
  expect((await stat(file)).mode & 0o777).toBe(0o600)
  expect((await readdir(folder)).sort()).toEqual(['state.json', 'state.json.lock'])
  await understudy.close()

  expect(await readdir(folder)).toEqual(['state.json'])
  expect(events).toMatchObject([{ kind: 'created' }])
  const { format, version, savedAt } = JSON.parse(await readFile(file, 'utf8'))
  expect([format, version]).toEqual(['understudy-state', 3])
  const next = await open(file)
  expect(next.understudy.model.pipelines.count()).toBe(3)
  const text = `State of ${savedAt.slice(0, 19).replace('T', ' ')} UTC, 1 world, from ${file}.`
  expect(next.events).toEqual([{ kind: 'loaded', text, savedAt, worlds: 1 }])
})

it('renames a damaged file, and reports its new name', async () => {
  const folder = makeFolder()
  const file = join(folder, 'state.json')
  await writeFile(file, '{"format":"understudy-sta')
  const { understudy, events } = await open(file)
  await understudy.close()

  const aside = (await readdir(folder)).find((name) => name !== 'state.json') ?? ''
  expect(aside).toMatch(/^state\.json\.damaged-\d{4}-\d\d-\d\dT\d\d-\d\d-\d\d\.\d{3}Z$/)
  expect(await readFile(join(folder, aside), 'utf8')).toBe('{"format":"understudy-sta')
  expect(events).toMatchObject([
    { kind: 'set aside', text: expect.stringContaining(`to ${folder}/${aside},`) },
  ])
  expect(await has(file, 'understudy-state')).toBe(true)
})

it('takes over the lock of a process that was killed', async () => {
  const file = join(makeFolder(), 'state.json')
  await mkdir(`${file}.lock`)
  const longAgo = new Date(Date.now() - 60_000)
  await utimes(`${file}.lock`, longAgo, longAgo)

  const { understudy } = await open(file)
  await understudy.close()
  await expect(stat(`${file}.lock`)).rejects.toThrow('ENOENT')
})

it('writes to the file behind a symbolic link', async () => {
  const folder = makeFolder()
  const [file, real] = [join(folder, 'link.json'), join(folder, 'real.json')]
  await (await open(real)).understudy.close()
  await symlink(real, file)
  const { understudy } = await open(file)
  await understudy.factories.pipeline.create({ name: 'behind' })
  await understudy.close()

  expect(await has(real, '"uuid":"behind"')).toBe(true)
  expect((await readdir(folder)).sort()).toEqual(['link.json', 'real.json'])
})

it('creates the file behind a symbolic link', async () => {
  const folder = makeFolder()
  await symlink('real.json', join(folder, 'inner.json'))
  await symlink('inner.json', join(folder, 'link.json'))
  await (await open(join(folder, 'link.json'))).understudy.close()

  expect(await has(join(folder, 'real.json'), 'understudy-state')).toBe(true)
  expect((await lstat(join(folder, 'link.json'))).isSymbolicLink()).toBe(true)
})

it.concurrent('stops writing where another process has taken its lock', async ({ onTestFinished }) => {
  const file = join(makeFolder(onTestFinished), 'state.json')
  const { understudy, events } = await open(file, onTestFinished)
  await until(() => has(file, 'understudy-state'))
  const before = await readFile(file, 'utf8')
  const later = new Date(Date.now() + 10_000)
  await utimes(`${file}.lock`, later, later)
  await new Promise((resolve) => setTimeout(resolve, 1_500))
  await understudy.factories.pipeline.create({ name: 'late' })
  await until(() => events.length > 1)

  expect(events[1]).toMatchObject({ kind: 'failed' })
  await expect(understudy.close()).rejects.toThrow('The last changes could not be saved')
  expect(await readFile(file, 'utf8')).toBe(before)
  expect((await stat(`${file}.lock`)).isDirectory()).toBe(true)
})

it.concurrent.for([
  ['and saves', undefined],
  ['unless another process has written it meanwhile', 'of another process'],
] as const)(
  'locks its file again after the lock was removed, %s',
  async ([_, written], { onTestFinished }) => {
    const file = join(makeFolder(onTestFinished), 'state.json')
    const { understudy, events } = await open(file, onTestFinished)
    await until(() => has(file, 'understudy-state'))
    await rm(`${file}.lock`, { recursive: true })
    await new Promise((resolve) => setTimeout(resolve, 1_500))
    if (written !== undefined) await writeFile(file, written)
    await understudy.factories.pipeline.create({ name: 'late' })

    if (written === undefined) {
      await until(() => has(file, '"uuid":"late"'))
      expect((await stat(`${file}.lock`)).isDirectory()).toBe(true)
      await understudy.close()
      expect(events).toMatchObject([{ kind: 'created' }])
    } else {
      await until(() => events.length > 1)
      expect(events[1]).toMatchObject({ kind: 'failed' })
      expect(await readFile(file, 'utf8')).toBe(written)
    }
  },
)

it('explains what is wrong with a path', async () => {
  const folder = makeFolder()
  await writeFile(join(folder, 'fixture.json'), JSON.stringify(company))
  const refusalOf = (file: string) =>
    open(file).then(
      () => 'opened',
      (error: Error) => error.message,
    )

  expect(await refusalOf(join(folder, 'none/state.json'))).toBe(
    `[understudy] There is no folder ${folder}/none for the state ${folder}/none/state.json. Create it first.`,
  )
  expect(await refusalOf(folder)).toBe(
    `[understudy] ${folder} is a folder. Name a file in it for the state: ${folder}/state.json.`,
  )
  expect(await refusalOf('/dev/null')).toBe('[understudy] /dev/null is not a regular file.')
  expect(await refusalOf(join(folder, 'fixture.json'))).toBe(
    `[understudy] ${folder}/fixture.json is not a state: expected a JSON object with "format": "understudy-state". It is left as it is.`,
  )
  expect(await readdir(folder)).toEqual(['fixture.json'])
  expect(() => fileStorage('')).toThrow('expected a path that is not empty')
})
