import type { Controls, WorldControls } from '../../client/types.ts'
import type { Counts, PagedRecords } from '../../factories/collection-types.ts'
import type { Fixture } from '../../factories/fixture-type.ts'
import { worldHeader } from '../../wire/credentials.ts'
import { camelCase } from '../../wire/letter-case.ts'
import { shellWord } from '../../wire/shell-word.ts'
import { toLiteral } from './literal.ts'

type HttpMethod = 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE'
/** A request of the admin API: method, path below the world's, body. */
type AdminCall = readonly [method: HttpMethod, path: string, body?: unknown]

/** A record, as calls name it. */
export interface NamedRecord {
  readonly plural: string
  /** What finds it: `{ uuid: 'sales' }`, or `{ uuid: 'load', pipeline_uuid: 'sales' }` where the key needs its parent. */
  readonly where: Readonly<Record<string, unknown>>
  /** Its key as the admin API has it in a path. */
  readonly key: string
}

const segment = (value: unknown) => encodeURIComponent(String(value))

/**
 * The table: what can be done to a world with a method of the same name, and the request of the admin API that does
 * the same.
 */
const methods = {
  'clock.advance': (duration: string | number): AdminCall => ['POST', '/clock/advance', { duration }],
  'clock.advanceToNext': (): AdminCall => ['POST', '/clock/next'],
  'clock.freeze': (at?: string): AdminCall => ['POST', '/clock/freeze', at === undefined ? {} : { at }],
  'clock.run': (speed?: number): AdminCall => ['POST', '/clock/run', speed === undefined ? {} : { speed }],
  'faults.add': (fault: object): AdminCall => ['POST', '/faults', fault],
  'faults.remove': (id: string): AdminCall => ['DELETE', `/faults/${segment(id)}`],
  'faults.clear': (): AdminCall => ['DELETE', '/faults'],
  'runs.script': (target: object, script: string): AdminCall => ['POST', '/runs/script', { target, script }],
  'runs.finish': (id: number, status: string): AdminCall => ['POST', `/runs/${id}/finish`, { status }],
  'runs.advance': (id: number): AdminCall => ['POST', `/runs/${id}/advance`],
  'journal.clear': (): AdminCall => ['DELETE', '/journal'],
  'assumptions.switch': (values: object): AdminCall => ['PATCH', '/assumptions', values],
  'scenarios.start': (name: string): AdminCall => ['POST', `/scenarios/${segment(name)}/start`],
  signOut: (): AdminCall => ['POST', '/sign-out'],
  reset: (): AdminCall => ['POST', '/reset'],
  undo: (): AdminCall => ['POST', '/undo'],
  snapshot: (name: string): AdminCall => ['PUT', `/snapshots/${segment(name)}`],
  restore: (name: string): AdminCall => ['POST', `/snapshots/${segment(name)}/restore`],
  import: (fixture: object): AdminCall => ['PUT', '/state', fixture],
} as const

type ActMethods = typeof methods
type MethodName = keyof ActMethods

/** Something that can be done to a world, as data: shown before it is done, and collected after. */
export type Act =
  | {
      readonly [Name in MethodName]: { readonly name: Name; readonly given: Parameters<ActMethods[Name]> }
    }[MethodName]
  | { readonly name: 'worlds.create'; readonly given: readonly [name: string, fixture?: Fixture] }
  | { readonly name: 'worlds.delete'; readonly given: readonly [name: string] }
  | { readonly name: 'wrongServers.take'; readonly given: readonly [name: string | null] }
  | { readonly name: 'profiles.take'; readonly given: readonly [name: string | null] }
  | { readonly name: 'create'; readonly given: readonly [plural: string, values: object] }
  | {
      readonly name: 'make'
      readonly given: readonly [singular: string, traits: readonly string[], values: object]
    }
  | { readonly name: 'update'; readonly given: readonly [record: NamedRecord, changes: object] }
  | { readonly name: 'delete'; readonly given: readonly [record: NamedRecord] }
  | { readonly name: 'fetch'; readonly given: readonly [method: HttpMethod, path: string, body?: object] }

/** Makes an act of a method: its name and what it is given. */
export function act<Name extends Act['name']>(
  name: Name,
  ...given: Extract<Act, { readonly name: Name }>['given']
): Act {
  return { name, given } as unknown as Act // One of the members, by its name.
}

/** The handle of a world in code. */
const handleOf = (world: string) => (world === 'main' ? 'understudy' : `understudy.world('${world}')`)

function whereOf({ where }: NamedRecord): string {
  return `(q) => q.where(${toLiteral(where)})`
}

/** The call in TypeScript, without `await`; `handle` is what stands for the world. */
export function codeOf(done: Act, world: string, handle = handleOf(world)): string {
  switch (done.name) {
    case 'worlds.create': {
      const [name, fixture] = done.given
      return `understudy.worlds.create('${name}'${fixture ? ', { fixture }' : ''})`
    }
    case 'worlds.delete':
      return `understudy.worlds.delete('${done.given[0]}')`
    case 'wrongServers.take':
    case 'profiles.take':
      return `understudy.${done.name}(${toLiteral(done.given[0])})`
    case 'create':
      return `${handle}.model.${done.given[0]}.create(${toLiteral(done.given[1])})`
    case 'make': {
      const [singular, traits, values] = done.given
      const given = Object.keys(values).length === 0 ? '' : toLiteral(values)
      const chosen = traits.length === 0 ? '' : `.with(${traits.map((trait) => `'${trait}'`).join(', ')})`
      return `${handle}.factories.${camelCase(singular)}${chosen}.create(${given})`
    }
    case 'update': {
      const [record, changes] = done.given
      return `${handle}.model.${record.plural}.update(${whereOf(record)}, {
  data: (draft) => void Object.assign(draft, ${toLiteral(changes, '  ')}),
})`
    }
    case 'delete':
      return `${handle}.model.${done.given[0].plural}.delete(${whereOf(done.given[0])})`
    case 'fetch': {
      const [method, path, body] = done.given
      const options = [
        ...(method === 'GET' ? [] : [`method: '${method}'`]),
        ...(body === undefined
          ? []
          : [`headers: { 'content-type': 'application/json' }`, `body: JSON.stringify(${toLiteral(body)})`]),
      ]
      if (options.length === 0) return `${handle}.fetch('${path}')`
      return `${handle}.fetch('${path}', {\n${options.map((option) => `  ${option.replaceAll('\n', '\n  ')},\n`).join('')}})`
    }
    case 'import':
      return `${handle}.import(fixture)`
    default:
      return `${handle}.${done.name}(${done.given.map((each) => toLiteral(each)).join(', ')})`
  }
}

/** The same as a command, for a server at an address. */
export function curlOf(done: Act, world: string, origin: string): string {
  if (done.name === 'fetch') {
    const [method, path, body] = done.given
    const chosen = world === 'main' ? '' : ` -H '${worldHeader}: ${world}'`
    return `curl -s${method === 'GET' ? '' : ` -X ${method}`}${chosen}${dataOf(body)} ${shellWord(`${origin}${path}`)}`
  }
  const [method, path, body] = adminCallOf(done, world)
  return `curl -s -X ${method}${dataOf(body)} ${shellWord(`${origin}/__understudy__/api${path}`)}`
}

function adminCallOf(done: Exclude<Act, { readonly name: 'fetch' }>, world: string): AdminCall {
  const base = `/worlds/${segment(world)}`
  switch (done.name) {
    case 'worlds.create':
      return ['POST', '/worlds', { name: done.given[0], fixture: done.given[1] }]
    case 'worlds.delete':
      return ['DELETE', `/worlds/${segment(done.given[0])}`]
    case 'wrongServers.take':
      return ['PUT', '/wrong-server', { name: done.given[0] }]
    case 'profiles.take':
      return ['PUT', '/profile', { name: done.given[0] }]
    case 'create':
      return ['POST', `${base}/records/${done.given[0]}`, done.given[1]]
    case 'make': {
      const [singular, traits, values] = done.given
      return ['POST', `${base}/factories/${singular}`, { values, traits }]
    }
    case 'update':
      return ['PATCH', recordPath(base, done.given[0]), done.given[1]]
    case 'delete':
      return ['DELETE', recordPath(base, done.given[0])]
    default: {
      const of = methods[done.name] as (...given: readonly unknown[]) => AdminCall
      const [method, path, body] = of(...done.given)
      return [method, `${base}${path}`, body]
    }
  }
}

const recordPath = (base: string, { plural, key }: NamedRecord) => `${base}/records/${plural}/${segment(key)}`

/** What the API answered an act that asked it. */
export interface Answered {
  readonly httpStatus: number
  /** The JSON of the reply, or its text where it is none. */
  readonly body: unknown
}

/** The error that the API answered, whatever HTTP status it came with. */
export function errorOf({ httpStatus, body }: Answered): { code: number; message: string } | undefined {
  if (typeof body !== 'object' || body === null) return { code: httpStatus, message: 'its reply is no JSON' }
  const { error } = body as { error?: { code?: number; message?: string } }
  if (error === undefined) return undefined
  return { code: error.code ?? httpStatus, message: error.message ?? '' }
}

/** Does it. */
export async function runAct(controls: Controls, world: string, done: Act): Promise<unknown> {
  const of = controls.world(world)
  switch (done.name) {
    case 'worlds.create': {
      const [name, fixture] = done.given
      await controls.worlds.create(name, fixture === undefined ? {} : { fixture })
      return undefined
    }
    case 'worlds.delete':
      return controls.worlds.delete(done.given[0])
    case 'wrongServers.take':
      return controls.wrongServers?.take(done.given[0])
    case 'profiles.take':
      return controls.profiles?.take(done.given[0])
    case 'create':
      return tableOf(of, done.given[0]).create(done.given[1])
    case 'make': {
      const [singular, traits, values] = done.given
      const factories = of.factories as unknown as Readonly<Record<string, ActFactory>>
      return factories[camelCase(singular)]!.with(...traits).create(values)
    }
    case 'update': {
      const [{ plural, where }, changes] = done.given
      const data = (draft: object) => void Object.assign(draft, changes)
      return tableOf(of, plural).update((query) => query.where(where), { data, strict: true })
    }
    case 'delete': {
      const [{ plural, where }] = done.given
      return tableOf(of, plural).delete((query) => query.where(where), { strict: true })
    }
    case 'fetch': {
      const [method, path, body] = done.given
      const headers = { 'content-type': 'application/json', [worldHeader]: world }
      const init = { method, headers, ...(body !== undefined && { body: JSON.stringify(body) }) }
      const url = new URL(path, globalThis.location?.origin ?? 'http://understudy.invalid').href
      const response = await controls.fetch(url, init)
      const text = await response.text()
      return { httpStatus: response.status, body: jsonOr(text) } satisfies Answered
    }
    default: {
      const [part, method] = done.name.includes('.') ? done.name.split('.') : [undefined, done.name]
      const owner = (part === undefined ? of : of[part as 'clock']) as unknown as AnyMethods
      return owner[method!]!(...done.given)
    }
  }
}

function jsonOr(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return text
  }
}

type AnyMethods = Readonly<Record<string, (...given: readonly unknown[]) => unknown>>
interface ActFactory {
  with(...traits: readonly string[]): { create(values: object): Promise<unknown> }
}
interface AnyQuery {
  where(values: object): AnyQuery
}
/** A collection of whichever resource, as the panel uses it. */
export interface AnyTable {
  all(): Promise<readonly AnyRecord[]> | readonly AnyRecord[]
  count(where?: object): Promise<number> | number
  countBy(attribute: string): Promise<Counts> | Counts
  page(options: object): Promise<PagedRecords<AnyRecord>>
  spread(attribute: string, options: object): Promise<readonly Counts[]>
  newest(attribute: string, options: object): Promise<Readonly<Record<string, readonly AnyRecord[]>>>
  create(values: object): Promise<AnyRecord>
  update(query: (query: AnyQuery) => AnyQuery, options: object): Promise<AnyRecord>
  delete(query: (query: AnyQuery) => AnyQuery, options?: object): unknown
  deletion(
    query: (query: AnyQuery) => AnyQuery,
    options?: object,
  ): Promise<{ readonly text: string } | undefined>
}
/** A record of whichever resource. */
export type AnyRecord = Readonly<Record<string, unknown>>

/** The collection of a plural, which may be that of a resource that a fixture added. */
export function tableOf(world: WorldControls, plural: string): AnyTable {
  return (world.model as unknown as Readonly<Record<string, AnyTable>>)[plural]!
}

function dataOf(body: unknown): string {
  return body === undefined
    ? ''
    : ` -H 'Content-Type: application/json' -d ${shellWord(JSON.stringify(body))}`
}
