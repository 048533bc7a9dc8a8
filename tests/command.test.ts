// Tests of commands that end by themselves, in this process.
import { once } from 'node:events'
import { existsSync } from 'node:fs'
import { readFile, writeFile } from 'node:fs/promises'
import { type AddressInfo, createServer } from 'node:net'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, it, onTestFinished } from 'vitest'
import { createUnderstudy } from '../src/index.ts'
import { runCommand } from './support/run-command.ts'
import { makeFolder } from './support/temporary.ts'

const before = process.cwd()
const folder = makeFolder(afterAll)

beforeAll(() => {
  // Paths are printed as typed.
  process.chdir(folder)
})

afterAll(() => process.chdir(before))

const runToEnd = (...args: string[]) => runCommand(args)

async function fixtureFile(name: string, fixture: unknown): Promise<string> {
  const path = join(folder, name)
  await writeFile(path, typeof fixture === 'string' ? fixture : JSON.stringify(fixture))
  return path
}

it('reports a busy port with the fix, and exits with 1', async () => {
  const busy = createServer().listen(0, '127.0.0.1')
  onTestFinished(() => void busy.close())
  await once(busy, 'listening')
  const { port } = busy.address() as AddressInfo
  const { code, out, err } = await runToEnd('serve', '--port', String(port), '--fixture', 'empty')

  expect(err).toBe(
    `Port ${port} on 127.0.0.1 is in use. Stop what listens there, or choose another: --port ${port + 1}, or --port 0 for any free one.\n`,
  )
  expect({ code, out }).toEqual({ code: 1, out: '' })
})

it.each([
  [['serve', '--prot', '1'], /^error: unknown option '--prot'\n\(Did you mean --port\?\)/],
  [
    ['serve', '--host', ''],
    /^The host is empty, which would be every address of this machine\. Choose --host 127\.0\.0\.1/,
  ],
  [['serve', '--host', ' '], /^The host is empty, which would be every address of this machine\./],
  [['serve', '--port', 'http'], /--port <number>.*Expected a whole number from 0 to 65535/],
  [['serve', '--port', '70000'], /Expected a whole number from 0 to 65535/],
  [['serve', '--auth', 'none'], /Allowed choices are open, key, login/],
  [
    ['serve', '--admin-token', 'let me in'],
    /--admin-token <token>.*visible ASCII characters, without spaces/,
  ],
  [['serve', '--admin-token', ''], /--admin-token <token>.*visible ASCII characters, without spaces/],
  [['serve', '--profile', 'mage'], /Allowed choices are mage-ai-0\.9\.79/],
  [['server'], /^error: unknown command 'server'\n\(Did you mean serve\?\)/],
  [['fixture', 'chek', 'a.json'], /unknown command 'chek'\n\(Did you mean check\?\)/],
  [
    ['serve', '--fixture', 'dmeo'],
    /^Cannot read the fixture dmeo: the file does not exist\. Pass demo, empty or a path.* Did you mean demo\?/,
  ],
  [['fixture', 'check', 'nothing.json'], /^Cannot read the fixture nothing\.json: the file does not exist/],
  [['fixture', 'generate', '--pipelines', 'many'], /Expected a whole number from 1 to 100000/],
  [
    ['serve', '--port', '0', '--host', '203.0.113.7'],
    /^203\.0\.113\.7 is not an address of this machine\. Choose --host 127\.0\.0\.1, or --host 0\.0\.0\.0 for all of them\.\n$/,
  ],
  [
    ['serve', '--world-idle', 'soon'],
    /argument 'soon' is invalid\. Expected a duration such as 90s, 20m or 1h\./,
  ],
  [['serve', '--scenario', 'flakey'], /Did you mean flaky\?\n$/],
  [
    ['serve', '--scenario', 'demo', '--fixture', 'empty'],
    /^The scenario demo has its own records\. Omit --fixture\.\n$/,
  ],
  [
    ['serve', '--scenario', 'demo', '--state', 'x.json'],
    /^--scenario demo and --state x\.json both set the initial state of worlds\. .* start the scenario in the panel /,
  ],
  [
    ['serve', '--watch'],
    /^--watch needs a fixture file, and demo is built in\. .*--fixture my\.json --watch\.\n$/,
  ],
  [['serve', '--watch', '--fixture', 'empty'], /^--watch needs a fixture file, and empty is built in\./],
  [['serve', '--no-admin', '--admin-token', 'x'], /^--admin-token protects .* Omit one of them\.\n$/],
  [['serve', '--journal', '0', '--journal-bytes', '1MB'], /^--journal-bytes limits .* Omit one of them\.\n$/],
  [
    ['serve', '--max-memory', '512'],
    /argument '512' is invalid\. That is 512 bytes\. Add a unit, such as 512MB\./,
  ],
  [['serve', '--journal-bytes', '64'], /That is 64 bytes\. Add a unit, such as 64MB\./],
  [['help', 'sevre'], /^error: unknown command 'sevre'\n\(Did you mean serve\?\)/],
  [['serve', '--clock', 'fast'], /Expected frozen, system, or a speed such as 60x\./],
])('reports the mistake in `understudy %j`, and exits with 1', async (args, expected) => {
  const { code, out, err } = await runToEnd(...args)

  expect(err).toMatch(expected)
  expect(err).not.toMatch(/\n {4}at /)
  expect({ code, out }).toEqual({ code: 1, out: '' })
})

it.each([
  [['serve', '--prot', '1'], 'pipeline-understudy serve'],
  [['fixture', 'generate', '--sed', '1'], 'pipeline-understudy fixture generate'],
  [['fixture', 'chek'], 'pipeline-understudy fixture'],
  [['serv'], 'pipeline-understudy'],
])('refers to the help that lists the values of %j', async (args, command) => {
  const { out, err } = await runToEnd(...args)

  expect(err).toMatch(/^error: /)
  expect(err).toContain(`Run \`${command} --help\` for usage.\n`)
  expect(out).toBe('')
})

it.each([
  [['serve', '--state', '--quiet'], '--state <file>', '--quiet', 1],
  [['serve', '--fixture', '--watch'], '--fixture <name>', '--watch', 1],
  [['serve', '--scenario', '-h'], '--scenario <name>', '-h', 1],
  [['fixture', 'generate', '--out', '--seed=2'], '--out <file>', '--seed=2', 1],
  [['verify', '--email', '--password', 'x'], '--email <email>', '--password', 2],
  [['verify', '--only', '--plan'], '--only <glob...>', '--plan', 2],
])('reads no flag as a value, in %j', async (args, option, value, expected) => {
  const { code, out, err } = await runToEnd(...args)

  expect(err).toContain(`error: option '${option}' argument missing: ${value} follows it\n`)
  expect({ code, out }).toEqual({ code: expected, out: '' })
})

it.each([
  ['verify', [], 2],
  ['import', ['--out', 'imported.json'], 1],
  ['proxy', [], 1],
])('refuses a URL that ends with /api: %s', async (command, flags, code) => {
  expect(await runToEnd(command, 'http://127.0.0.1:9/base/api/', ...flags)).toEqual({
    code,
    out: '',
    err: 'Expected a base URL without /api, because every path of the API begins with it. Remove /api from the URL.\n',
  })
})

it('reads a value that begins like a flag if it is written with =', async () => {
  const { code, err } = await runToEnd('fixture', 'generate', '--pipelines', '1', '--out=--seed')

  expect({ code, err }).toEqual({ code: 0, err: '' })
  expect(existsSync(join(folder, '--seed'))).toBe(true)
})

it('lists its commands and flags on demand', async () => {
  const [help, serveHelp] = await Promise.all([runToEnd('--help'), runToEnd('serve', '--help')])
  const [helpOfServe, helpAlone] = await Promise.all([runToEnd('help', 'serve'), runToEnd('help')])
  expect([helpOfServe, helpAlone]).toEqual([serveHelp, help])
  expect({ code: help.code, err: help.err }).toEqual({ code: 0, err: '' })
  expect(help.out).toMatch(/^Usage: pipeline-understudy \[options\] \[command\]/)
  // One screen, or the names of the faulty variants.
  expect(serveHelp.out.split('\n').length).toBeLessThan(45)
  expect(serveHelp.out.split('\n').filter((line) => line.length > 80)).toEqual([])
})

it('lists the faulty variants, and suggests a similar one', async () => {
  const [listed, misspelt] = await Promise.all([
    runToEnd('serve', '--broken', 'help'),
    runToEnd('serve', '--broken', 'list-ignores-limt'),
  ])
  const names = listed.out.trim().split('\n')

  expect(listed).toMatchObject({ code: 0, err: '' })
  expect(names.length).toBeGreaterThan(200)
  expect(names.filter((name) => !/^[a-z0-9_-]+$/.test(name))).toEqual([])
  expect(misspelt.code).toBe(1)
  expect(misspelt.err).toContain('Run `pipeline-understudy serve --broken help` for the list.')
})

const own = {
  description: 'Nothing can be deleted.',
  faults: [{ method: 'DELETE', error: { code: 503, message: 'Later.' } }],
  assumptions: { 'list-count': 'items' },
  clock: { freeze: '2026-01-05 08:00:00' },
}

it('lists its scenarios, and checks one of your own', async () => {
  await fixtureFile('own.json', own)
  await fixtureFile('wrong.json', { ...own, faults: [{ hang: true, drop: true }] })
  const [listed, good, wrong, none] = await Promise.all([
    runToEnd('scenario', 'list'),
    runToEnd('scenario', 'check', 'own.json'),
    runToEnd('scenario', 'check', 'wrong.json'),
    runToEnd('scenario', 'check', 'flakey'),
  ])

  expect(listed.out.trim().split('\n')).toHaveLength(9)
  expect(listed.out).toMatch(/^slow {20,}Every reply takes its time/m)
  expect(good).toEqual({ code: 0, out: 'own.json can be started: assumptions, faults, clock.\n', err: '' })
  expect(wrong.err).toMatch(/^wrong\.json: The scenario wrong is broken at \$\.faults\[0\]: expected one of /)
  expect(none.err).toMatch(
    /^Cannot read the scenario flakey: the file does not exist\. .* Did you mean flaky\?\n$/,
  )
})

it.each([
  [
    'several flaws: all of them at once',
    { pipelines: [{ name: 'p', type: 'ruby' }, 7], backfills: [{ pipeline_uuid: 'p', status: 'odd' }] },
    /broken\.json has 3 errors:\n {2}\$\.pipelines\[1\]: expected an object; found 7\n {2}\$\.pipelines\[0\]\.type: .*\n {2}\$\.backfills\[0\]\.status: /,
  ],
  ['no object', [], /broken\.json is broken at \$: expected an object; found/],
  ['no JSON', '{"pipelines": [', /^Cannot read the fixture broken\.json: it is not valid JSON: /],
  ['a comma too many', '{\n  "pipelines": [],\n}', / JSON at position 21 \(line 3 column 1\)\.\n$/],
  [
    'JSON that is nested too deep',
    `{"custom": {"a": [{"id": 1, "b": ${'['.repeat(100_000)}${']'.repeat(100_000)}}]}}`,
    /^Cannot read the fixture broken\.json: it is nested more than 200 levels deep\.\n$/,
  ],
])('refuses a fixture with %s: file, JSON path, expected and found', async (_, fixture, expected) => {
  await fixtureFile('broken.json', fixture)
  const [checked, served] = await Promise.all([
    runToEnd('fixture', 'check', 'broken.json'),
    runToEnd('serve', '--port', '0', '--fixture', 'broken.json'),
  ])

  expect(checked.err).toMatch(expected)
  expect(checked.err).not.toMatch(/\n {4}at /)
  expect({ code: checked.code, out: checked.out }).toEqual({ code: 1, out: '' })
  expect(served).toEqual({ code: 1, out: '', err: checked.err })
})

it.each([
  [['fixture', 'check', '.'], /^Cannot read the fixture \.: it is a folder\. /],
  [['serve', '--fixture', '.'], /^Cannot read the fixture \.: it is a folder\. /],
  [['serve', '--fault', '.'], /^Cannot read the faults \.: it is a folder\.\n$/],
  [['scenario', 'check', '.'], /^Cannot read the scenario \.: it is a folder\. /],
  [['fixture', 'check', 'one-flaw.json'], /^The fixture one-flaw\.json is broken at \$\.pipelines: /],
])('explains why %j cannot read a file', async (args, expected) => {
  await fixtureFile('one-flaw.json', { pipelines: 7 })
  const { code, err } = await runToEnd(...args)

  expect(err).toMatch(expected)
  expect(err).not.toMatch(/EISDIR|\[understudy\]/)
  expect(code).toBe(1)
})

it.each(['utf16le', 'utf8'] as const)(
  'reads a fixture that a shell of Windows has written, in %s with a mark',
  async (encoding) => {
    await writeFile(join(folder, 'windows.json'), `\uFEFF{"pipelines":[{"name":"täglich"}]}\r\n`, encoding)
    const checked = await runToEnd('fixture', 'check', 'windows.json')

    expect(checked).toMatchObject({
      code: 0,
      out: expect.stringMatching(/^windows\.json can be loaded: .* 1 pipelines, /),
    })
  },
)

it('writes a first fixture that it can check and load, and never overwrites a file', async () => {
  const written = await runToEnd('fixture', 'new', 'mine.json')
  const text = await readFile(join(folder, 'mine.json'), 'utf8')
  const again = await runToEnd('fixture', 'new', 'mine.json')
  const checked = await runToEnd('fixture', 'check', 'mine.json')

  expect(written).toEqual({
    code: 0,
    out: 'Wrote mine.json. Try it: pipeline-understudy serve --fixture mine.json --watch\n',
    err: '',
  })
  expect(again).toEqual({
    code: 1,
    out: '',
    err: 'Cannot write mine.json: it already exists; choose another name.\n',
  })
  expect(await readFile(join(folder, 'mine.json'), 'utf8')).toBe(text)
  expect(checked).toEqual({
    code: 0,
    out: 'mine.json can be loaded: 1 users, 0 oauth_access_tokens, 1 pipelines, 2 blocks, 1 pipeline_schedules, 1 backfills, 0 pipeline_runs, 0 logs.\n',
    err: '',
  })
  const { model } = createUnderstudy({ fixture: JSON.parse(text) })
  expect(model.pipelines.findMany().map(({ uuid }) => uuid)).toEqual(['daily_sales'])
})

it.each<readonly [string[], string]>([
  [
    ['fixture', 'new', 'nowhere/mine.json'],
    'Cannot write nowhere/mine.json: its folder does not exist; create it first.\n',
  ],
  [['fixture', 'generate', '--out', '.'], 'Cannot write .: it is a folder; name a file in it.\n'],
  [
    ['openapi', '--out', 'nowhere/api.json'],
    'Cannot write nowhere/api.json: its folder does not exist; create it first.\n',
  ],
  [['demo', 'build', '--out', 'd'.repeat(256)], `Cannot write ${'d'.repeat(256)}: its name is too long.\n`],
])('explains why it cannot write: %j', async (args, err) => {
  expect(await runToEnd(...args)).toEqual({ code: 1, out: '', err })
})

it('generates the same fixture of the requested size for the same seed', async () => {
  const flags = ['fixture', 'generate', '--pipelines', '5', '--backfills', '120', '--seed']
  const [one, same, other] = await Promise.all([
    runToEnd(...flags, '7'),
    runToEnd(...flags, '7', '--out', 'generated.json'),
    runToEnd(...flags, '8'),
  ])
  const checked = await runToEnd('fixture', 'check', 'generated.json')

  expect(same).toEqual({ code: 0, out: '', err: '' })
  expect(await readFile(join(folder, 'generated.json'), 'utf8')).toBe(one.out)
  expect(other.out).not.toBe(one.out)
  expect(checked.out).toBe(
    'generated.json can be loaded: 1 users, 0 oauth_access_tokens, 5 pipelines, 10 blocks, 0 pipeline_schedules, 120 backfills, 0 pipeline_runs, 0 logs.\n',
  )
})

it('prints the JSON Schema of a fixture', async () => {
  const { code, out } = await runToEnd('fixture', 'schema')

  expect(code).toBe(0)
  expect(JSON.parse(out)).toMatchObject({ title: 'pipeline-understudy fixture', type: 'object' })
})

it.each<[string, unknown, RegExp]>([
  ['nowhere.json', undefined, /^Cannot read the faults nowhere\.json: the file does not exist\.\n$/],
  ['text.json', '{', /^Cannot read the faults .*text\.json: it is not valid JSON: .*\n$/],
  [
    'deep.json',
    `[{"status": 200, "body": ${'['.repeat(100_000)}${']'.repeat(100_000)}}]`,
    /^Cannot read the faults .*deep\.json: it is nested more than 200 levels deep\.\n$/,
  ],
  [
    'object.json',
    {},
    /object\.json: The fault is broken at \$: expected a list of faults; found object\.\n$/,
  ],
  [
    'second.json',
    [{ hang: true }, { hagn: true }],
    /second\.json: The fault is broken at \$\[1\]\.hagn: expected the key "hang".*; found an unknown key\.\n$/,
  ],
])('reports invalid faults in %s, and exits with 1', async (name, content, message) => {
  const file = content === undefined ? name : await fixtureFile(name, content)
  const { code, out, err } = await runToEnd('serve', '--port', '0', '--fault', file)

  expect(err).toMatch(message)
  expect({ code, out }).toEqual({ code: 1, out: '' })
})

it.each([
  ['none/state.json', /^There is no folder \S+none for the state none\/state\.json\. Create it first\.\n$/],
  ['.', /^\. is a folder\. Name a file in it for the state: state\.json\.\n$/],
  [
    'fixture-for-state.json',
    /^fixture-for-state\.json is not a state: expected a JSON object .* It is left as it is\.\n$/,
  ],
])('refuses the state %s before it listens', async (path, message) => {
  await fixtureFile('fixture-for-state.json', { pipelines: [] })
  const { code, out, err } = await runToEnd('serve', '--port', '0', '--state', path)

  expect([code, out]).toEqual([1, ''])
  expect(err).toMatch(message)
})
