import { execFileSync } from 'node:child_process'
import { once } from 'node:events'
import fs from 'node:fs'
import { syncBuiltinESMExports } from 'node:module'
import { createServer } from 'node:net'
import { join } from 'node:path'
import { expect, it, onTestFinished, vi } from 'vitest'
import { editManifest } from '../src/cli/project/edit-manifest.ts'
import { readProject } from '../src/cli/project/project.ts'
import { GrowingFile } from '../src/files/growing-file.ts'
import { readJsonFile, readTextFile } from '../src/files/read-file.ts'
import { writeUserFile } from '../src/files/write-file.ts'
import { readHar } from '../src/traffic/read-har.ts'
import { root } from './support/root.ts'
import { makeFolder } from './support/temporary.ts'

it('replaces a file as a whole, with its permissions, behind a symbolic link', () => {
  const folder = makeFolder()
  const [file, link] = [join(folder, 'file.json'), join(folder, 'link.json')]
  fs.writeFileSync(file, 'before', { mode: 0o640 })
  fs.symlinkSync(file, link)
  const before = fs.statSync(file)

  writeUserFile(link, 'after')

  expect(fs.readFileSync(file, 'utf8')).toBe('after')
  expect(fs.lstatSync(link).isSymbolicLink()).toBe(true)
  expect(fs.statSync(file).mode).toBe(before.mode)
  // Another file took its place.
  expect(fs.statSync(file).ino).not.toBe(before.ino)
  expect(fs.readdirSync(folder).sort()).toEqual(['file.json', 'link.json'])
})

it('refuses to replace a file that must be new', () => {
  const file = join(makeFolder(), 'file.json')
  writeUserFile(file, 'first', { isNew: true })

  expect(() => writeUserFile(file, 'second', { isNew: true })).toThrow(
    `Cannot write ${file}: it already exists; choose another name.`,
  )
  expect(fs.readFileSync(file, 'utf8')).toBe('first')
})

it.each([
  ['a folder', '.', 'it is a folder; name a file in it'],
  ['a path in no folder', 'nowhere/file.json', 'its folder does not exist; create it first'],
  ['a full disk', '/dev/full', 'the disk is full'],
])('reports the reason for %s', (_, path, reason) => {
  const folder = makeFolder()
  const file = path.startsWith('/') ? path : join(folder, path)

  expect(() => writeUserFile(file, 'text')).toThrow(`Cannot write ${file}: ${reason}.`)
  expect(fs.readdirSync(folder)).toEqual([])
})

it.each([false, true])('leaves no part of a file that does not fit on the disk (isNew: %s)', (isNew) => {
  const folder = makeFolder()
  const file = join(folder, 'file.json')
  if (!isNew) fs.writeFileSync(file, 'before')
  const { writeFileSync } = fs
  const written = vi.spyOn(fs, 'writeFileSync').mockImplementation((path, text, options) => {
    writeFileSync(path, String(text).slice(0, 2), options)
    throw Object.assign(new Error('ENOSPC'), { code: 'ENOSPC' })
  })
  syncBuiltinESMExports()
  onTestFinished(() => {
    written.mockRestore()
    syncBuiltinESMExports()
  })

  expect(() => writeUserFile(file, 'after', { isNew })).toThrow(`Cannot write ${file}: the disk is full.`)
  expect(fs.readdirSync(folder)).toEqual(isNew ? [] : ['file.json'])
  if (!isNew) expect(fs.readFileSync(file, 'utf8')).toBe('before')
})

it.each([201, 100_000])('refuses JSON that is nested %i levels deep, and names the file', (levels) => {
  const file = join(makeFolder(), 'deep.json')
  fs.writeFileSync(file, '['.repeat(levels) + ']'.repeat(levels))

  expect(() => readJsonFile(file, `the fixture ${file}`)).toThrow(
    `Cannot read the fixture ${file}: it is nested more than 200 levels deep.`,
  )
})

const frame = { start: '[', between: ',', end: ']' }
const notRegular = 'it is a pipe, a socket or a device, not a regular file'

it.each<[string, (file: string) => unknown, string]>([
  ['a pipe', (file) => execFileSync('mkfifo', [file]), notRegular],
  ['a socket', (file) => listenAt(file), notRegular],
  ['a device', (file) => fs.symlinkSync('/dev/zero', file), notRegular],
  ['a folder', (file) => fs.mkdirSync(file), 'it is a folder'],
  [
    'a file of 1 TB',
    (file) => {
      fs.writeFileSync(file, '')
      fs.truncateSync(file, 2 ** 40)
    },
    'it has 1099511627776 bytes, and at most 268435456 are read',
  ],
])('refuses %s in place of a file of the user, without waiting', async (_, create, reason) => {
  const folder = makeFolder()
  const file = join(folder, 'package.json')
  await create(file)
  const traffic = async () => {
    for await (const { position } of readHar(file)) throw new Error(`It read entry ${position}.`)
  }

  expect(() => readJsonFile(file, 'the file')).toThrow(`Cannot read the file: ${reason}.`)
  await expect(readProject(folder)).rejects.toThrow(`Cannot read ${file}: ${reason}.`)
  if (!reason.includes('bytes')) await expect(traffic()).rejects.toThrow(reason)
})

it('refuses to write a pipe that nobody reads, without waiting', async () => {
  const pipe = join(makeFolder(), 'report.html')
  execFileSync('mkfifo', [pipe])
  const reason = `Cannot write ${pipe}: it is a pipe that no program reads; start the reader first, or name a file.`

  expect(() => writeUserFile(pipe, 'text')).toThrow(reason)
  await expect(GrowingFile.create(pipe, frame)).rejects.toThrow(reason)
})

it('writes a pipe that a program reads, but no file that grows', async () => {
  const pipe = join(makeFolder(), 'report.html')
  execFileSync('mkfifo', [pipe])
  const reader = fs.openSync(pipe, fs.constants.O_RDONLY | fs.constants.O_NONBLOCK)
  onTestFinished(() => fs.closeSync(reader))
  writeUserFile(pipe, 'text')

  expect(fs.readFileSync(reader, 'utf8')).toBe('text')
  await expect(GrowingFile.create(pipe, frame)).rejects.toThrow(
    `Cannot write ${pipe}: it is a pipe; name a file.`,
  )
})

async function listenAt(path: string): Promise<void> {
  const server = createServer().listen(path)
  await once(server, 'listening')
  onTestFinished(() => void server.close())
}

it('reads the files of users in one place', () => {
  // The others read files of this package and installed ones, of this process, or a state, which has its own checks.
  const exceptions = [
    'src/files/find-package.ts',
    'src/files/package-folder.ts',
    'src/files/read-file.ts',
    'src/server/panel-files.ts',
    'src/server/docs-page.ts',
    'src/integrations/usage/index.ts',
    'src/storage/file.ts',
    'src/cli/project/write-demo.ts',
    'contract-tests/rules/document.ts',
    'contract-tests/runner/cleanup-log.ts',
    'contract-tests/verify/cleanup-log-files.ts',
  ]
  const readers = ['src', 'contract-tests'].flatMap((folder) =>
    fs
      .readdirSync(join(root, folder), { recursive: true, encoding: 'utf8' })
      .filter((path) => path.endsWith('.ts') && !path.startsWith('tests/'))
      .map((path) => `${folder}/${path}`)
      .filter((path) =>
        /\b(?:readFile|readFileSync|createReadStream)\(/.test(readTextFile(join(root, path))),
      ),
  )

  expect(readers.filter((path) => path !== 'src/traffic/read-har.ts').sort()).toEqual(exceptions.sort())
})

const plan = { scripts: { mock: 'serve' }, workerDirectory: undefined }
const edit = (source: string) => editManifest('package.json', source, plan)

it.each([
  ['tabs', '{\n\t"name": "a",\n\t"scripts": {\n\t\t"dev": "vite"\n\t}\n}\n', ',\n\t\t"mock": "serve"'],
  ['Windows line ends', '{\r\n  "scripts": {\r\n    "dev": "vite"\r\n  }\r\n}', ',\r\n    "mock": "serve"'],
  ['a byte order mark', '\uFEFF{\n  "scripts": {\n    "dev": "vite"\n  }\n}', ',\n    "mock": "serve"'],
  [
    'equal keys, large numbers and unusual layout',
    '{\n  "a": 9007199254740993,\n  "b" : [ 1,2 ],  "b": 1.0e2,\n  "scripts": {\n    "dev": "vite"\n  }\n}',
    ',\n    "mock": "serve"',
  ],
])('adds a script and changes no other byte: %s', (_, source, added) => {
  const { text } = edit(source)

  expect(text).toContain(added)
  expect(text.replace(added, '')).toBe(source)
})

it('adds scripts and the folder of the worker script to an empty manifest', () => {
  const { text, added } = editManifest('package.json', '{}', { ...plan, workerDirectory: 'public' })

  expect(JSON.parse(text)).toEqual({ scripts: { mock: 'serve' }, msw: { workerDirectory: ['public'] } })
  expect(added).toEqual(['the script mock', 'msw.workerDirectory'])
})

it('leaves a script that has another command', () => {
  const source = '{ "scripts": { "mock": "my-own" } }'

  expect(edit(source)).toEqual({ text: source, added: [], left: ['the script mock'] })
})

it.each([
  ['[1]', 'package.json is not a JSON object.'],
  ['{ "scripts": ["a"] }', 'Cannot add to package.json: the value of "scripts" is not an object.'],
  ['{ "scripts": {}, "scripts": {} }', 'Cannot add to package.json: it has the same key twice.'],
])('refuses the manifest %s', (source, message) => {
  expect(() => edit(source)).toThrow(message)
})
