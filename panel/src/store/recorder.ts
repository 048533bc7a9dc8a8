import {
  isReadMethod,
  type JournalEntry,
  parseDuration,
  type ResourceDescription,
  toTimestamp,
} from '../library.ts'
import { act, codeOf, errorOf, handleOf, panelHeader } from './acts.ts'
import { comment, indented, join, type TypeScriptCode, typescript } from './code.ts'
import { searchOf } from './journal-text.ts'
import { recordLines } from './record-lines.ts'
import type { DoneAct, RecordingStart } from './runner.ts'

/** A fixture of a test, in a file beside the test. */
interface TestFile {
  readonly name: string
  readonly fixture: object
}

/** Returns the files that a test needs: the start of the recording, and the states opened in it. */
export function filesOf({ fixture }: RecordingStart, done: readonly DoneAct[]): TestFile[] {
  const opened = done.flatMap(({ act }) => (act.name === 'import' ? [act.given[0]] : []))
  return [
    { name: 'start.json', fixture },
    ...opened.map((fixture, index) => ({ name: `opened-${index + 1}.json`, fixture })),
  ]
}

/**
 * Writes a recording as a test for vitest: it starts from the first state of the recording, repeats the acts and the writes
 * of the application, and expects their results.
 */
export function toTest(
  start: RecordingStart,
  done: readonly DoneAct[],
  requests: readonly JournalEntry[],
  resources: readonly ResourceDescription[],
): TypeScriptCode {
  const { faults } = start
  const options = { fixture: typescript`read('start.json')`, ...(faults.length > 0 && { faults }) }
  const empty = typescript``
  const body = [
    typescript`const understudy = createUnderstudy(${options})`,
    empty,
    ...new Recording(filesOf(start, done), resources).lines(start, done, requests),
  ]
  return join(
    [
      // Read as a file: importing JSON needs different settings in each project.
      typescript`import { readFileSync } from 'node:fs'`,
      typescript`import { join } from 'node:path'`,
      typescript`import { createUnderstudy } from 'pipeline-understudy'`,
      typescript`import 'pipeline-understudy/matchers/vitest'`,
      typescript`import { expect, it } from 'vitest'`,
      empty,
      typescript`const read = (name: string) => JSON.parse(readFileSync(join(__dirname, name), 'utf8'))`,
      empty,
      indented(join([typescript`it('repeats the recorded actions', async () => {`, ...body], '\n')),
      typescript`})`,
      empty,
    ],
    '\n',
  )
}

/**
 * Returns whether a request belongs in the test. The acts contain those of this panel, and a read matters only if a fault
 * applied or a run counts it.
 */
function matters({ method, faults, changes, request }: JournalEntry): boolean {
  const isRead = isReadMethod(method) || method === 'OPTIONS'
  return !(panelHeader in request.headers) && (!isRead || faults.length + changes.length > 0)
}

function freezeLine(handle: TypeScriptCode, time: number): TypeScriptCode {
  return typescript`await ${handle}.clock.freeze(${toTimestamp(time)})`
}

/** Writes the lines of a test, with names of faults and replies. */
class Recording {
  readonly #files: readonly TestFile[]
  readonly #resources: readonly ResourceDescription[]
  /** The names of faults by their ids. */
  readonly #faults = new Map<unknown, TypeScriptCode>()
  #replies = 0

  constructor(files: readonly TestFile[], resources: readonly ResourceDescription[]) {
    this.#files = files
    this.#resources = resources
  }

  /** Writes acts and requests in their order. */
  lines(
    { sequence: first }: RecordingStart,
    done: readonly DoneAct[],
    all: readonly JournalEntry[],
  ): TypeScriptCode[] {
    const requests = all
      .filter((entry) => entry.sequence > first && matters(entry))
      .sort((one, other) => one.sequence - other.sequence)
    const lines: TypeScriptCode[] = []
    let isRunning = done[0]?.wasRunning ?? false
    const writeUntil = (last: number) => {
      while (requests[0] !== undefined && requests[0].sequence <= last) {
        lines.push(...this.#requestLines(requests[0], isRunning))
        requests.shift()
      }
    }
    for (const each of done) {
      writeUntil(each.sequence)
      const { act, world, now, wasRunning, changed } = each
      const handle = handleOf(world)
      const setsClock = act.name === 'clock.freeze' || act.name.startsWith('worlds.')
      if (wasRunning && !setsClock) lines.push(freezeLine(handle, now))
      const actLines = this.#actLines(each)
      if (Object.keys(changed).length === 0) lines.push(...actLines)
      else {
        lines.push(typescript`await ${handle}.snapshot('before the call')`, ...actLines)
        lines.push(typescript`expect(${handle}).toHaveChanged(${changed}, 'before the call')`)
      }
      isRunning = each.after === undefined
    }
    writeUntil(Number.POSITIVE_INFINITY)
    return lines
  }

  #nextReply(): TypeScriptCode {
    this.#replies += 1
    return numbered(typescript`reply`, this.#replies)
  }

  #requestLines(entry: JournalEntry, isRunning: boolean): TypeScriptCode[] {
    const { method, path, request, reply, operation, status, httpStatus, world, at } = entry
    const address = path + searchOf(entry)
    // The test does not await a request that was never answered.
    if (status === 0)
      return [comment(`The application sent ${method} ${address}, and a fault left it without a reply.`)]
    if (path.includes('***') || status === 401 || status === 403) {
      return [comment(`The application sent ${method} ${address}: its credential is not written down.`)]
    }
    const name = this.#nextReply()
    return [
      comment(`The application: ${operation ?? 'an unknown path'}.`),
      ...(isRunning ? [freezeLine(handleOf(world), Date.parse(at))] : []),
      typescript`const ${name} = await ${codeOf(act('fetch', method, address, request.body), world)}`,
      typeof reply.body === 'object'
        ? typescript`expect((await ${name}.json()).error?.code ?? 200).toBe(${status})`
        : typescript`expect(${name}.status).toBe(${httpStatus})`,
      ...recordLines(entry, handleOf(world), this.#resources),
    ]
  }

  /** Writes an act, and its result. */
  #actLines(done: DoneAct): TypeScriptCode[] {
    const { act, world, now, wasRunning, value, after } = done
    const handle = handleOf(world)
    const code = typescript`await ${codeOf(act, world)}`
    switch (act.name) {
      case 'faults.add': {
        const name = numbered(typescript`fault`, this.#faults.size + 1)
        this.#faults.set(Object(value).id, name)
        return [
          typescript`const ${name} = ${code}`,
          typescript`expect(await ${handle}.faults.list()).toContainEqual(${name})`,
        ]
      }
      case 'faults.remove': {
        const name = this.#faults.get(act.given[0])
        if (name === undefined) return [comment(`${act.given[0]} was there before: ${code.text}`)]
        return [typescript`expect(await ${handle}.faults.remove(${name}.id)).toBe(true)`]
      }
      case 'clock.freeze':
      case 'clock.advance': {
        const time = timeAfter(done)
        if (time === undefined) return [code]
        if (act.name === 'clock.freeze' && act.given.length === 0) return [freezeLine(handle, after ?? 0)]
        return [code, typescript`expect(new Date(await ${handle}.clock.now()).toISOString()).toBe(${time})`]
      }
      case 'import': {
        const file = this.#files.find(({ fixture }) => fixture === act.given[0])
        const line = typescript`await ${handle}.import(read(${file?.name}))`
        return wasRunning ? [line, freezeLine(handle, now)] : [line]
      }
      case 'fetch': {
        const name = this.#nextReply()
        const { httpStatus, body } = Object(value)
        if (typeof body === 'string')
          return [typescript`const ${name} = ${code}`, typescript`expect(${name}.status).toBe(${httpStatus})`]
        const expected = errorOf({ httpStatus, body })?.code ?? 200
        return [
          typescript`const ${name} = await (${code}).json()`,
          typescript`expect(${name}.error?.code ?? 200).toBe(${expected})`,
        ]
      }
      default:
        return [code]
    }
  }
}

function numbered(name: TypeScriptCode, count: number): TypeScriptCode {
  return typescript`${name}${count}`
}

/** Returns the time of the test's clock after an act of the clock. The test's clock is always frozen. */
function timeAfter({ act, now, after }: DoneAct): string | undefined {
  if (after !== undefined) return new Date(after).toISOString()
  const length = act.name === 'clock.advance' ? parseDuration(act.given[0]) : undefined
  return length === undefined ? undefined : new Date(now + length).toISOString()
}
