import {
  adminPath,
  apiKeyLocations,
  type Controls,
  camelCase,
  tryParseJson,
  type WorldControls,
  type WorldOptions,
  worldHeader,
} from '../library.ts'
import { join, list, member, shellCommand, type TypeScriptCode, typescript, unlessEmpty } from './code.ts'
import { tableOf } from './table.ts'

/** The header by which the recorder recognizes requests of the panel. */
export const panelHeader = 'x-understudy-panel'

/** A request of the admin API: method, path, body. */
type AdminCall = readonly [method: string, path: string, body?: unknown]

/** A record in calls. */
export interface NamedRecord {
  readonly plural: string
  /** Its condition: `{ uuid: 'sales' }`, or `{ uuid: 'load', pipeline_uuid: 'sales' }` if the key needs its parent. */
  readonly where: Readonly<Record<string, unknown>>
  /** Its key in paths of the admin API. */
  readonly key: string
}

/** The arguments of each act on a world. */
interface Given {
  'clock.advance': [duration: string | number]
  'clock.freeze': [at?: string]
  'clock.run': [speed?: number]
  'faults.add': [fault: object]
  'faults.remove': [id: string]
  'faults.clear': []
  'runs.script': [target: object, script: string]
  'runs.finish': [id: number, status: string]
  'runs.advance': [id: number]
  'journal.clear': []
  'assumptions.switch': [values: object]
  'scenarios.start': [name: string]
  signOut: []
  reset: []
  undo: []
  snapshot: [name: string]
  restore: [name: string]
  import: [fixture: object]
  'worlds.create': [name: string, options?: WorldOptions]
  'worlds.delete': [name: string]
  create: [plural: string, values: object]
  make: [singular: string, traits: readonly string[], values: object]
  update: [record: NamedRecord, changes: object]
  delete: [record: NamedRecord]
  fetch: [method: string, path: string, body?: unknown]
}
export type ActName = keyof Given
type ActOf<Name extends ActName> = { readonly name: Name; readonly given: Given[Name] }
/** An action on a world, as data: the panel shows it before, and records it after. */
export type Act = { [Name in ActName]: ActOf<Name> }[ActName]

/** An act with its name and arguments. */
export function act<Name extends ActName>(name: Name, ...given: Given[Name]): ActOf<Name> {
  return { name, given }
}

/** The forms of an act: a request, code, and a function. */
interface ActKind<Name extends ActName> {
  /** The request of the admin API that does the same. */
  call(world: string, ...given: Given[Name]): AdminCall
  /** The call in TypeScript. Default: the method of the same name. */
  code?(handle: TypeScriptCode, ...given: Given[Name]): TypeScriptCode
  /** Performs the act. Default: the method of the same name. */
  run?(controls: Controls, of: WorldControls, ...given: Given[Name]): unknown
}

const segment = (value: unknown) => encodeURIComponent(String(value))
const pathOf = (world: string, path: string) => `/worlds/${segment(world)}${path}`
const recordPath = (world: string, { plural, key }: NamedRecord) =>
  pathOf(world, `/records/${plural}/${segment(key)}`)
const queryOf = ({ where }: NamedRecord) => typescript`(q) => q.where(${where})`
const tableCode = (handle: TypeScriptCode, plural: string) => typescript`${handle}.model${member(plural)}`
/** An act whose request has its arguments as members of its body. */
const post = (path: string, ...names: readonly string[]) => ({
  call(world: string, ...given: readonly unknown[]): AdminCall {
    const body = Object.fromEntries(names.map((name, index) => [name, given[index]]))
    return ['POST', pathOf(world, path), names.length === 0 ? undefined : body]
  },
})

const kinds: { readonly [Name in ActName]: ActKind<Name> } = {
  'clock.advance': post('/clock/advance', 'duration'),
  'clock.freeze': post('/clock/freeze', 'at'),
  'clock.run': post('/clock/run', 'speed'),
  'faults.add': { call: (world, fault) => ['POST', pathOf(world, '/faults'), fault] },
  'faults.remove': { call: (world, id) => ['DELETE', pathOf(world, `/faults/${segment(id)}`)] },
  'faults.clear': { call: (world) => ['DELETE', pathOf(world, '/faults')] },
  'runs.script': post('/runs/script', 'target', 'script'),
  'runs.finish': { call: (world, id, status) => ['POST', pathOf(world, `/runs/${id}/finish`), { status }] },
  'runs.advance': { call: (world, id) => ['POST', pathOf(world, `/runs/${id}/advance`)] },
  'journal.clear': { call: (world) => ['DELETE', pathOf(world, '/journal')] },
  'assumptions.switch': { call: (world, values) => ['PATCH', pathOf(world, '/assumptions'), values] },
  'scenarios.start': { call: (world, name) => ['POST', pathOf(world, `/scenarios/${segment(name)}/start`)] },
  signOut: post('/sign-out'),
  reset: post('/reset'),
  undo: post('/undo'),
  snapshot: { call: (world, name) => ['PUT', pathOf(world, `/snapshots/${segment(name)}`)] },
  restore: { call: (world, name) => ['POST', pathOf(world, `/snapshots/${segment(name)}/restore`)] },
  import: {
    call: (world, fixture) => ['PUT', pathOf(world, '/state'), fixture],
    code: (handle) => typescript`${handle}.import(fixture)`,
  },
  'worlds.create': {
    call: (_, name, options) => ['POST', '/worlds', { name, ...options }],
    code: (_, name, options = {}) =>
      typescript`understudy.worlds.create(${list(name, ...unlessEmpty(options))})`,
    async run({ worlds }, _, name, options) {
      await worlds.create(name, options)
    },
  },
  'worlds.delete': {
    call: (_, name) => ['DELETE', `/worlds/${segment(name)}`],
    code: (_, name) => typescript`understudy.worlds.delete(${name})`,
    run: ({ worlds }, _, name) => worlds.delete(name),
  },
  create: {
    call: (world, plural, values) => ['POST', pathOf(world, `/records/${plural}`), values],
    code: (handle, plural, values) => typescript`${tableCode(handle, plural)}.create(${values})`,
    run: (_, of, plural, values) => tableOf(of, plural).create(values),
  },
  make: {
    call: (world, singular, traits, values) => [
      'POST',
      pathOf(world, `/factories/${singular}`),
      { values, traits },
    ],
    code(handle, singular, traits, values) {
      const factory = typescript`${handle}.factories${member(camelCase(singular))}`
      const chosen = traits.length === 0 ? factory : typescript`${factory}.with(${list(...traits)})`
      return typescript`${chosen}.create(${list(...unlessEmpty(values))})`
    },
    run(_, { factories }, singular, traits, values) {
      // The panel has only the names of resources, no types.
      const factory: AnyFactory | undefined = Reflect.get(factories, camelCase(singular))
      return factory?.with(...traits).create(values)
    },
  },
  update: {
    call: (world, record, changes) => ['PATCH', recordPath(world, record), changes],
    code: (
      handle,
      record,
      changes,
    ) => typescript`${tableCode(handle, record.plural)}.update(${queryOf(record)}, {
  data: (draft) => void Object.assign(draft, ${changes}),
})`,
    run(_, of, { plural, where }, changes) {
      const data = (draft: object) => void Object.assign(draft, changes)
      return tableOf(of, plural).update((query) => query.where(where), { data, strict: true })
    },
  },
  delete: {
    call: (world, record) => ['DELETE', recordPath(world, record)],
    code: (handle, record) => typescript`${tableCode(handle, record.plural)}.delete(${queryOf(record)})`,
    run: (_, of, { plural, where }) =>
      tableOf(of, plural).delete((query) => query.where(where), { strict: true }),
  },
  fetch: {
    call: (_, method, path, body) => [method, path, body],
    code(handle, method, path, body) {
      const headers = body === undefined ? {} : { 'content-type': 'application/json' }
      return writeFetch(typescript`${handle}.fetch`, { method, headers, body, url: path })
    },
    async run(controls, { name, apiKeys }, method, path, body): Promise<Reply> {
      const [key] = await apiKeys
      const headers = {
        'content-type': 'application/json',
        [worldHeader]: name,
        [panelHeader]: 'yes',
        ...(key !== undefined && { [apiKeyLocations.header.name]: key }),
      }
      const init = { method, headers, ...(body !== undefined && { body: JSON.stringify(body) }) }
      const url = new URL(path, globalThis.location?.origin ?? 'http://understudy.invalid').href
      const response = await controls.fetch(url, init)
      const text = await response.text()
      return { httpStatus: response.status, body: tryParseJson(text) ?? text }
    },
  },
}

interface AnyFactory {
  with(...traits: readonly string[]): { create(values: object): Promise<unknown> }
}

export function handleOf(world: string): TypeScriptCode {
  return world === 'main' ? typescript`understudy` : typescript`understudy.world(${world})`
}

/** Writes an act as a call in TypeScript, without `await`. */
export function codeOf<Name extends ActName>({ name, given }: ActOf<Name>, world: string): TypeScriptCode {
  const handle = handleOf(world)
  const method = join(name.split('.').map(member), '')
  return kinds[name].code?.(handle, ...given) ?? typescript`${handle}${method}(${list(...given)})`
}

/** Writes an act as a command, for a server at an address. */
export function curlOf<Name extends ActName>(
  { name, given }: ActOf<Name>,
  world: string,
  origin: string,
): string {
  const [method, path, body] = kinds[name].call(world, ...given)
  const isAdmin = name !== 'fetch'
  const headers = {
    ...(!isAdmin && world !== 'main' && { [worldHeader]: world }),
    ...(body !== undefined && { 'Content-Type': 'application/json' }),
  }
  return writeCurl({ method, headers, body, url: `${origin}${isAdmin ? adminPath : ''}${path}` }, ' ')
}

interface WrittenRequest {
  readonly method: string
  readonly headers: Readonly<Record<string, string>>
  /** A text to send unchanged, or a value to send as JSON. */
  readonly body: unknown
  readonly url: string
}

/** Writes a request as a call of a `fetch`. */
export function writeFetch(fetch: TypeScriptCode, request: WrittenRequest): TypeScriptCode {
  const { method, headers, body, url } = request
  const init = {
    ...(method !== 'GET' && { method }),
    ...(Object.keys(headers).length > 0 && { headers }),
    ...(body !== undefined && {
      body: typeof body === 'string' ? body : typescript`JSON.stringify(${body})`,
    }),
  }
  return typescript`${fetch}(${list(url, ...unlessEmpty(init))})`
}

/** Writes a request as a command. `--data-raw` sends a body that begins with @ as it is, `-g` an address with brackets. */
export function writeCurl({ method, headers, body, url }: WrittenRequest, separator: string): string {
  const text = typeof body === 'string' || body === undefined ? body : JSON.stringify(body)
  return shellCommand(
    [
      ['curl', /[[\]{}]/.test(url) ? '-sg' : '-s', ...(method === 'GET' ? [] : ['-X', method])],
      ...Object.entries(headers).map(([name, value]) => ['-H', `${name}: ${value}`]),
      ...(text === undefined ? [] : [['--data-raw', text]]),
      [url],
    ],
    separator,
  )
}

export async function runAct<Name extends ActName>(
  controls: Controls,
  world: string,
  { name, given }: ActOf<Name>,
): Promise<unknown> {
  const of = controls.world(world)
  const { run } = kinds[name]
  if (run !== undefined) return run(controls, of, ...given)
  // The method of the same name: `tests/panel-acts.test.ts` finds each.
  const [part, method] = name.includes('.') ? name.split('.') : [undefined, name]
  const owner: object = part === undefined ? of : Reflect.get(of, part)
  return Reflect.apply(Reflect.get(owner, method ?? ''), owner, given)
}

export interface Reply {
  readonly httpStatus: number
  /** The JSON of the reply, or its text if it is not JSON. */
  readonly body: unknown
}

/** Returns the error in a reply of the API, with any HTTP status. */
export function errorOf(reply: unknown): { code: number; message: string } | undefined {
  const { httpStatus, body }: Reply = Object(reply)
  if (typeof body !== 'object' || body === null) return { code: httpStatus, message: 'its reply is no JSON' }
  if (!('error' in body)) return undefined
  const { code = httpStatus, message = '' } = Object(body.error)
  return { code, message }
}
