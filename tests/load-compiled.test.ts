import { channel } from 'node:diagnostics_channel'
import { once } from 'node:events'
import { existsSync } from 'node:fs'
import { mkdtemp, readdir, rm, stat, utimes, writeFile } from 'node:fs/promises'
import { createServer } from 'node:http'
import { createRequire } from 'node:module'
import type { AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, expect, it, onTestFinished, vi } from 'vitest'
import { keptFile, loadCompiled } from '../src/cli/load-compiled.ts'

let folder: string
let file: string
const longAgo = new Date('2020-01-01T00:00:00Z')

beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'understudy-compiled-'))
  file = join(folder, 'program.js')
  await write('one', longAgo)
})

afterEach(async () => {
  await rm(folder, { recursive: true, force: true })
})

/** Writes the program: each is as long as the others. */
async function write(answer: 'one' | 'two' | 'six', changed: Date): Promise<void> {
  const more = `exports.path = require('node:path'); exports.other = () => module.importModule('node:os')`
  await writeFile(file, `exports.answer = () => '${answer}'; ${more}`)
  await utimes(file, changed, changed)
}

interface Program {
  answer(): string
  other(): Promise<unknown>
  readonly path: unknown
}

/** Loads the program, and asks it. */
async function answer(): Promise<string> {
  const loaded = loadCompiled(file, createRequire(file), (asked) => import(asked)) as Program
  expect(loaded.path).toBe(createRequire(file)('node:path'))
  expect(await loaded.other()).toHaveProperty('tmpdir')
  return loaded.answer()
}

/** Has this process answer a request over HTTP, and waits until something new is kept. */
async function reply(): Promise<void> {
  const before = existsSync(keptFile(file)) ? (await stat(keptFile(file))).ino : undefined
  const server = createServer((_, response) => response.end()).listen(0, '127.0.0.1')
  onTestFinished(() => void server.close())
  await once(server, 'listening')
  await (await fetch(`http://127.0.0.1:${(server.address() as AddressInfo).port}`)).text()
  await vi.waitFor(async () => expect((await stat(keptFile(file))).ino).not.toBe(before), { timeout: 20_000 })
}

it('keeps what it has compiled once a request was answered, and takes it the next time', async () => {
  expect(await answer()).toBe('one')
  expect(existsSync(keptFile(file))).toBe(false)
  await reply()
  expect(await readdir(folder)).toEqual(['program.js', keptFile('program.js')])

  // What is kept is seen by what V8 does not see: that a file of the same length says something else.
  await write('two', longAgo)
  expect(await answer()).toBe('one')
})

it('takes nothing that was kept before the file was changed, and keeps anew', async () => {
  expect(await answer()).toBe('one')
  await reply()
  await write('two', new Date(Date.now() + 1_000))
  expect(await answer()).toBe('two')
  await reply()
  await write('six', longAgo)
  expect(await answer()).toBe('two')
})

it('takes nothing that another version of V8 has kept, or that is none of it', async () => {
  await writeFile(keptFile(file), 'of another version')
  expect(await answer()).toBe('one')
  await reply()
  await write('two', longAgo)
  expect(await answer()).toBe('one')
})

it('keeps nothing where Node is told to keep nothing', async () => {
  vi.stubEnv('NODE_DISABLE_COMPILE_CACHE', '1')
  onTestFinished(() => void vi.unstubAllEnvs())

  expect(await answer()).toBe('one')
  expect(channel('http.server.response.finish').hasSubscribers).toBe(false)
})
