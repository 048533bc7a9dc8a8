import type { WorldOptions } from '../../../src/engine/worlds/world-start.ts'

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
  | { readonly name: 'worlds.create'; readonly given: readonly [name: string, options?: WorldOptions] }
  | { readonly name: 'worlds.delete'; readonly given: readonly [name: string] }
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

/** The request of the admin API that does what an act says. */
export function adminCallOf(done: Exclude<Act, { readonly name: 'fetch' }>, world: string): AdminCall {
  const base = `/worlds/${segment(world)}`
  switch (done.name) {
    case 'worlds.create':
      return ['POST', '/worlds', { name: done.given[0], ...done.given[1] }]
    case 'worlds.delete':
      return ['DELETE', `/worlds/${segment(done.given[0])}`]
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
