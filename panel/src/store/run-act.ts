import type { Controls } from '../../../src/admin/client/types.ts'
import { worldHeader } from '../../../src/shared/credentials.ts'
import { camelCase } from '../../../src/shared/letter-case.ts'
import type { Act } from './acts.ts'
import { tableOf } from './any-table.ts'

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

/** Does in a world what an act says. */
export async function runAct(controls: Controls, world: string, done: Act): Promise<unknown> {
  const of = controls.world(world)
  switch (done.name) {
    case 'worlds.create': {
      const [name, options] = done.given
      await controls.worlds.create(name, options)
      return undefined
    }
    case 'worlds.delete':
      return controls.worlds.delete(done.given[0])
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
