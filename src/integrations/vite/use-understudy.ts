import { resolve } from 'node:path'
import { isDeepStrictEqual } from 'node:util'
import { naming } from '../../cli/naming.ts'
import { isShipped, readFixtureFile } from '../../cli/read-fixture.ts'
import { optionsOf, readScenario, shippedScenarios } from '../../cli/read-scenario.ts'
import { startWatch, type WatchedFixture } from '../../cli/watch-fixture.ts'
import { createUnderstudy, type Understudy } from '../../engine/create-understudy.ts'
import type { UnderstudyOptions } from '../../engine/read-options.ts'
import type { Fixture } from '../../factories/fixture-type.ts'

/** Options of a mock server in a server of Vite: those of `createUnderstudy`; some accept a name instead of a value. */
export interface ServedOptions extends Omit<UnderstudyOptions, 'fixture'> {
  /** The start state: `demo` (default), `empty`, the path of a JSON file from the root of the project, or a fixture. */
  readonly fixture?: Fixture | 'demo' | 'empty' | (string & {})
  /** The initial scenario: the name of a built-in one, or the path of a JSON file. */
  readonly scenario?: string
}

export interface UsedUnderstudy {
  readonly understudy: Understudy
  readonly ownFixture: WatchedFixture | undefined
  /** Reports the end of the server, which is not a restart. */
  release(): Promise<void>
}

interface SharedUnderstudy {
  readonly options: ServedOptions
  readonly understudy: Understudy
  readonly ownFixture: WatchedFixture | undefined
  /** The latest use. During a restart, the new use begins before the previous one ends. */
  lastUse: UsedUnderstudy | undefined
}

/** The mock servers in use, by the root of the project and by server (`dev` or `preview`). */
const shared = new Map<string, SharedUnderstudy>()

/** Returns the mock of a project: the one in use with the same options, otherwise a new one. */
export async function useUnderstudy(
  kind: 'dev' | 'preview',
  root: string,
  options: ServedOptions,
): Promise<UsedUnderstudy> {
  const key = `${kind} ${root}`
  const before = shared.get(key)
  const isSame = before !== undefined && isDeepStrictEqual(before.options, options)
  // Two mock servers cannot use one storage. Without a storage, there is nothing to close.
  if (!isSame && before?.options.storage !== undefined) await before.understudy.close()
  const entry: SharedUnderstudy = isSame
    ? before
    : { options, ...(await open(root, options)), lastUse: undefined }
  const use: UsedUnderstudy = {
    understudy: entry.understudy,
    ownFixture: entry.ownFixture,
    async release() {
      if (entry.lastUse !== use) return
      if (shared.get(key) === entry) shared.delete(key)
      if (options.storage !== undefined) await entry.understudy.close()
    },
  }
  entry.lastUse = use
  shared.set(key, entry)
  return use
}

async function ownFixtureOf(root: string, { fixture }: ServedOptions): Promise<WatchedFixture | undefined> {
  if (typeof fixture !== 'string' || isShipped(fixture)) return undefined
  return startWatch(resolve(root, fixture))
}

async function open(
  root: string,
  { scenario: name, ...options }: ServedOptions,
): Promise<Pick<SharedUnderstudy, 'understudy' | 'ownFixture'>> {
  const ownFixture = await ownFixtureOf(root, options)
  const { fixture: requested = 'demo' } = options
  const fixture = typeof requested === 'string' ? readFixtureFile(ownFixture?.name ?? requested) : requested
  const given = { clock: 'system', scenarios: shippedScenarios, ...options, fixture } as const
  const file = typeof requested === 'string' ? requested : undefined
  const understudy = await naming({ fixture: file }, () => begin(root, name, given))
  await understudy.ready
  return { understudy, ownFixture }
}

/** Worlds start with the scenario, and `reset()` returns to it, as with `serve --scenario`. */
async function begin(
  root: string,
  name: string | undefined,
  given: UnderstudyOptions & { readonly fixture: Fixture },
): Promise<Understudy> {
  if (name === undefined) return createUnderstudy(given)
  const { scenario } = readScenario(Object.hasOwn(shippedScenarios, name) ? name : resolve(root, name))
  return createUnderstudy(await optionsOf(scenario, given))
}
