import type { Advanced } from '../../../src/engine/events/event-types.ts'
import type { JournalEntry } from '../../../src/engine/journal/journal-entry.ts'
import type { ResourceDescription } from '../../../src/factories/describe-resources.ts'
import { codeOf, writeOptions } from './act-code.ts'
import type { DoneAct, SittingStart } from './act-runner.ts'
import { type Act, act } from './acts.ts'
import { toLiteral } from './literal.ts'
import { type Answered, errorOf } from './run-act.ts'
import { countLines, recordLines } from './state-lines.ts'
import { lengthOfDuration } from './words.ts'

/** A fixture of so many characters stands in the test itself. */
const inlineLength = 2_000

/** A fixture that is too long to stand in the test: a file beside it. */
interface TestFile {
  readonly name: string
  readonly fixture: object
}

/** The files that a test needs: the start of the sitting, and what was opened in it. */
export function filesOf(start: SittingStart | undefined, done: readonly DoneAct[]): TestFile[] {
  const opened = done
    .map(({ act: chosen }) => fixtureOf(chosen))
    .filter((fixture) => fixture !== undefined && isLong(fixture))
    .map((fixture, index): TestFile => ({ name: `opened-${index + 1}.json`, fixture: fixture! }))
  const first = start?.fixture
  return first !== undefined && isLong(first) ? [{ name: 'start.json', fixture: first }, ...opened] : opened
}

function isLong(fixture: object): boolean {
  return JSON.stringify(fixture).length > inlineLength
}

/** The fixture that an act brings. */
function fixtureOf({ name, given }: Act): object | undefined {
  if (name === 'import') return given[0]
  return name === 'worlds.create' ? given[1]?.fixture : undefined
}

/**
 * Writes what was done as a test for vitest: it starts from the state the sitting began with, does what was done and
 * what the application wrote between, and expects what was seen.
 */
export function toTest(
  start: SittingStart,
  done: readonly DoneAct[],
  requests: readonly JournalEntry[],
  resources: readonly ResourceDescription[],
): string {
  const files = filesOf(start, done)
  const names = new Names(files)
  const lines: string[] = []
  let sequence = start.sequence
  const own = new Set(done.map((each) => ownRequest(each, requests)?.sequence))
  const told = requests
    .filter((entry) => entry.sequence > start.sequence && matters(entry) && !own.has(entry.sequence))
    .sort((one, other) => one.sequence - other.sequence)
  let isRunning = done[0]?.wasRunning ?? false
  const tellUntil = (last: number) => {
    for (const entry of told) {
      if (entry.sequence > sequence && entry.sequence <= last)
        lines.push(...requestLines(entry, names, isRunning, resources))
    }
    sequence = Math.max(sequence, last)
  }
  for (const each of done) {
    tellUntil(each.sequence)
    lines.push(...actLines(each, names))
    isRunning = each.after === undefined
  }
  tellUntil(Number.POSITIVE_INFINITY)
  const { fixture, faults } = start
  const isFile = files.some((file) => file.fixture === fixture)
  const options = [
    ...(fixture === undefined ? [] : ['fixture']),
    ...(faults.length === 0 ? [] : [`faults: ${toLiteral(faults)}`]),
  ]
  // Read as a file, not imported: what that takes differs from project to project.
  const head = [
    ...(files.length > 0
      ? ["import { readFileSync } from 'node:fs'", "import { join } from 'node:path'"]
      : []),
    "import { createUnderstudy } from 'pipeline-understudy'",
    "import { expect, it } from 'vitest'",
    '',
    ...(files.length > 0
      ? ["const read = (name: string) => JSON.parse(readFileSync(join(__dirname, name), 'utf8'))"]
      : []),
    ...(isFile ? ["const fixture = read('start.json')"] : []),
    ...(files.length > 0 ? [''] : []),
    ...(fixture !== undefined && !isFile ? [`const fixture = ${toLiteral(fixture)}`, ''] : []),
  ]
  const body = [
    `const understudy = createUnderstudy(${options.length === 0 ? '' : `{ ${options.join(', ')} }`})`,
    ...(fixture === undefined
      ? ['// There were too many records to write them down: give it the fixture that your server has.']
      : []),
    '',
    ...lines,
  ].map((line) => (line === '' ? '' : `  ${line.replaceAll('\n', '\n  ')}`))
  return [...head, "it('does what was done by hand', async () => {", ...body, '})', ''].join('\n')
}

/** What a fault that is added is called in the test, by the id it had. */
class Names {
  readonly #files: readonly TestFile[]
  readonly #faults = new Map<string, string>()
  #count = 0

  constructor(files: readonly TestFile[]) {
    this.#files = files
  }

  /** A fixture as the test has it. */
  literalOf(fixture: object): string {
    const file = this.#files.find((each) => each.fixture === fixture)
    return file === undefined ? toLiteral(fixture) : `read('${file.name}')`
  }

  nameFault(id: unknown): string {
    const name = `fault${this.#faults.size + 1}`
    this.#faults.set(String(id), name)
    return name
  }

  faultOf(id: string): string | undefined {
    return this.#faults.get(id)
  }

  next(noun: string): string {
    this.#count += 1
    return `${noun}${this.#count}`
  }
}

/** Reads change nothing, unless something struck them, or a run counts them. */
function matters({ method, faults, changes }: JournalEntry): boolean {
  const isRead = method === 'GET' || method === 'HEAD' || method === 'OPTIONS'
  return !isRead || faults.length + changes.length > 0
}

/** The request that an act of this panel sent: it is told as the act. */
function ownRequest({ act: { name, given }, sequence }: DoneAct, requests: readonly JournalEntry[]) {
  if (name !== 'fetch') return undefined
  const [method, address] = given
  const [path] = address.split('?')
  return requests.findLast(
    (entry) => entry.sequence > sequence && entry.method === method && isSamePath(entry.path, path ?? ''),
  )
}

/** Compares a path with one in whose place of a credential the journal has `***`. */
function isSamePath(redacted: string, path: string): boolean {
  const [told, sent] = [redacted.split('/'), path.split('/')]
  return told.length === sent.length && told.every((part, index) => part === '***' || part === sent[index])
}

/** A moment as the clock is frozen at it. */
function momentText(moment: number): string {
  return new Date(moment).toISOString().replace('T', ' ').replace('Z', '000+00:00')
}

function handleOf(world: string): string {
  return world === 'main' ? 'understudy' : `understudy.world('${world}')`
}

function requestLines(
  entry: JournalEntry,
  names: Names,
  isRunning: boolean,
  resources: readonly ResourceDescription[],
): string[] {
  const { method, path, query, request, status, world, at } = entry
  const handle = handleOf(world)
  const search = new URLSearchParams(
    Object.entries(query).flatMap(([name, value]) => [value].flat().map((each) => [name, String(each)])),
  ).toString()
  const address = search === '' ? path : `${path}?${search}`
  // Nobody waits for what was never answered.
  if (status === 0)
    return [`// The application sent ${method} ${address}, and a fault left it without an answer.`]
  if (path.includes('***') || status === 401 || status === 403) {
    return [`// The application sent ${method} ${address}: its credential is not written down.`]
  }
  const sent = act('fetch', method as 'GET', address, request.body as object | undefined)
  const name = names.next('reply')
  const isJson = typeof entry.reply.body === 'object'
  return [
    `// The application: ${entry.operation ?? 'an unknown path'}.`,
    ...(isRunning ? [`await ${handle}.clock.freeze('${momentText(Date.parse(at))}')`] : []),
    `const ${name} = await ${codeOf(sent, world)}`,
    isJson
      ? `expect((await ${name}.json()).error?.code ?? 200).toBe(${status})`
      : `expect(${name}.status).toBe(${entry.httpStatus})`,
    ...recordLines(entry, handle, resources),
  ]
}

function actLines(done: DoneAct, names: Names): string[] {
  const { act: chosen, world, now, wasRunning } = done
  const handle = handleOf(world)
  const isClocks = chosen.name === 'clock.freeze' || chosen.name.startsWith('worlds.')
  const before = wasRunning && !isClocks ? [`await ${handle}.clock.freeze('${momentText(now)}')`] : []
  const counts = done.counts === undefined ? [] : countLines(...done.counts, handle)
  return [...before, ...linesOf(chosen, done, handle, names), ...counts]
}

/**
 * Where the clock of the test stands after an act of the clock: it is frozen, also where the other ran on. That one had
 * passed the moment it went to when it was read, so the first event there says the moment.
 */
function standsAfter(chosen: Act, { now, value, after }: DoneAct): string | undefined {
  if (after !== undefined) return new Date(after).toISOString()
  if (chosen.name === 'clock.advanceToNext') return (value as Partial<Advanced>).events?.[0]?.at
  const length = chosen.name === 'clock.advance' ? lengthOfDuration(chosen.given[0]) : undefined
  return length === undefined ? undefined : new Date(now + length).toISOString()
}

function linesOf(chosen: Act, done: DoneAct, handle: string, names: Names): string[] {
  const { world, value, after } = done
  const code = codeOf(chosen, world)
  switch (chosen.name) {
    case 'faults.add': {
      const name = names.nameFault((value as { id?: unknown }).id)
      return [
        `const ${name} = await ${code}`,
        `expect(await ${handle}.faults.list()).toContainEqual(${name})`,
      ]
    }
    case 'faults.remove': {
      const name = names.faultOf(chosen.given[0])
      if (name === undefined) return [`// ${chosen.given[0]} was there before: await ${code}`]
      return [`expect(await ${handle}.faults.remove(${name}.id)).toBe(true)`]
    }
    case 'clock.freeze':
    case 'clock.advance':
    case 'clock.advanceToNext': {
      const stands = standsAfter(chosen, done)
      if (chosen.name === 'clock.freeze' && chosen.given.length === 0 && stands !== undefined) {
        return [`await ${handle}.clock.freeze('${momentText(after ?? 0)}')`]
      }
      if (stands === undefined) return [`await ${code}`]
      return [
        `await ${code}`,
        `expect(new Date(await ${handle}.clock.now()).toISOString()).toBe('${stands}')`,
      ]
    }
    case 'runs.finish': {
      const [id, status] = chosen.given
      return [
        `await ${code}`,
        `expect(await ${handle}.model.pipeline_runs.findFirst((q) => q.where({ id: ${id} }))).toMatchObject({ status: '${status}' })`,
      ]
    }
    case 'runs.script': {
      const [target, script] = chosen.given as readonly [Readonly<Record<string, unknown>>, string]
      const [reference = '', key] = Object.entries(target)[0] ?? []
      const plural = { pipeline_uuid: 'pipelines', pipeline_schedule_id: 'pipeline_schedules' }[reference]
      if (plural === undefined) return [`await ${code}`]
      const where = toLiteral({ [plural === 'pipelines' ? 'uuid' : 'id']: key, run_script: script })
      return [`await ${code}`, `expect(await ${handle}.model.${plural}.count(${where})).toBe(1)`]
    }
    case 'import':
      return [
        `await ${handle}.import(${names.literalOf(chosen.given[0])})`,
        ...(done.wasRunning ? [`await ${handle}.clock.freeze('${momentText(done.now)}')`] : []),
      ]
    case 'worlds.create': {
      const [name, options = {}] = chosen.given
      if (options.fixture === undefined) return [`await ${code}`]
      const written = writeOptions(options, `fixture: ${names.literalOf(options.fixture)}`)
      return [`await understudy.worlds.create('${name}'${written})`]
    }
    case 'signOut':
      return [`expect(await ${code}).toBe(${value})`]
    case 'update':
      return [`expect(await ${code}).toMatchObject(${toLiteral(chosen.given[1])})`]
    case 'delete': {
      const [{ plural, where }] = chosen.given
      return [`await ${code}`, `expect(await ${handle}.model.${plural}.count(${toLiteral(where)})).toBe(0)`]
    }
    case 'fetch': {
      const name = names.next('reply')
      const answered = value as Answered
      if (typeof answered.body === 'string') {
        return [`const ${name} = await ${code}`, `expect(${name}.status).toBe(${answered.httpStatus})`]
      }
      return [
        `const ${name} = await (await ${code}).json()`,
        `expect(${name}.error?.code ?? 200).toBe(${errorOf(answered)?.code ?? 200})`,
      ]
    }
    default:
      return [`await ${code}`]
  }
}
