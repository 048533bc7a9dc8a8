import type { Controls } from '../../src/admin/client/types.ts'
import type { Scenario } from '../../src/engine/scenarios/scenario.ts'
import { parseJson } from '../../src/shared/json.ts'
import { UnderstudyError } from '../../src/shared/understudy-error.ts'

/**
 * Limits of a link, in characters, and of its state: bytes, records and the speed of the clock. A page with more would hang,
 * even after a reload.
 */
const most = { link: 100_000, inflated: 4_000_000, records: 10_000, speed: 3_600 } as const

/** The scenario of a link: its name, or its contents. */
export type Linked = { readonly name: string } | { readonly scenario: Scenario }

/** Parses the hash of a URL; `undefined` if it is no link of the demo. */
export async function readLink(hash: string): Promise<Linked | undefined> {
  const [, kind, value = ''] = /^#(scenario|state)=(.*)$/s.exec(hash) ?? []
  if (kind === undefined) return undefined
  if (value.length > most.link) throw refused(`it is ${value.length} characters long, more than ${most.link}`)
  if (kind === 'state') return { scenario: await unpack(value) }
  try {
    return { name: decodeURIComponent(value) }
  } catch {
    throw refused('the name of the scenario is not percent-encoded correctly')
  }
}

/**
 * Returns a link to the present state of a mock: its records, its clock and its faults.
 *
 * @throws UnderstudyError if that is more than a link can contain.
 */
export async function writeLink(page: string, understudy: Controls): Promise<string> {
  const [fixture, faults, speed, now] = await Promise.all([
    understudy.export(),
    understudy.faults.list(),
    understudy.clock.speed(),
    understudy.clock.now(),
  ])
  const freeze = new Date(now).toISOString().slice(0, 19).replace('T', ' ')
  const scenario: Scenario = {
    description: 'A state from a link.',
    fixture,
    ...(faults.length > 0 && { faults: faults.map(({ id: _, used: __, ...fault }) => fault) }),
    clock: speed === 0 ? { freeze } : { run: speed },
  }
  const value = await pack(scenario)
  if (value.length > most.link) {
    throw new UnderstudyError(
      'ARGUMENT_INVALID',
      `This state takes ${value.length} characters, more than the ${most.link} that a link can contain. Export it as a file in the panel instead.`,
    )
  }
  return `${page}#state=${value}`
}

async function pack(value: unknown): Promise<string> {
  const packed = new Blob([JSON.stringify(value)]).stream().pipeThrough(new CompressionStream('deflate-raw'))
  const bytes = new Uint8Array(await new Response(packed).arrayBuffer())
  let text = ''
  for (const byte of bytes) text += String.fromCharCode(byte)
  return btoa(text).replaceAll('+', '-').replaceAll('/', '_').replaceAll('=', '')
}

async function unpack(value: string): Promise<Scenario> {
  if (!/^[\w-]*$/.test(value)) throw refused('it contains characters other than letters, digits, - and _')
  let scenario: unknown
  try {
    const bytes = Uint8Array.from(atob(value.replaceAll('-', '+').replaceAll('_', '/')), (character) =>
      character.charCodeAt(0),
    )
    scenario = parseJson(await inflate(bytes))
  } catch (error) {
    if (error instanceof UnderstudyError) throw error
    throw refused('it is incomplete or was changed')
  }
  if (typeof scenario !== 'object' || scenario === null || Array.isArray(scenario))
    throw refused('its content is not a state')
  checkBounds(scenario)
  // Starting it validates it.
  return scenario as Scenario
}

function checkBounds({ fixture, clock }: { readonly fixture?: unknown; readonly clock?: unknown }): void {
  const tables: readonly unknown[] =
    typeof fixture === 'object' && fixture !== null ? Object.values(fixture) : []
  const records = tables.reduce<number>((sum, table) => sum + (Array.isArray(table) ? table.length : 0), 0)
  if (records > most.records) throw refused(`it has ${records} records, more than ${most.records}`)
  const speed: unknown = Object(clock).run
  if (typeof speed === 'number' && speed > most.speed)
    throw refused(`its clock runs ${speed} times as fast, more than ${most.speed}`)
}

/** Inflates up to the maximum size of a state: a short link can contain any number of bytes. */
async function inflate(bytes: Uint8Array<ArrayBuffer>): Promise<string> {
  const pieces: Uint8Array<ArrayBuffer>[] = []
  let length = 0
  const reader = new Blob([bytes]).stream().pipeThrough(new DecompressionStream('deflate-raw')).getReader()
  for (;;) {
    const { done, value } = await reader.read()
    if (done) return new TextDecoder('utf-8', { fatal: true }).decode(await new Blob(pieces).arrayBuffer())
    pieces.push(value)
    length += value.length
    if (length <= most.inflated) continue
    void reader.cancel()
    throw refused(`its state has more than ${most.inflated} bytes`)
  }
}

function refused(why: string): UnderstudyError {
  return new UnderstudyError('ARGUMENT_INVALID', `This link has no valid state: ${why}.`)
}
