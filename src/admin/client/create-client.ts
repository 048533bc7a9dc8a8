import type { Understudy } from '../../engine/create-understudy.ts'
import type { FaultyVariantSummary, ProfileSummary } from '../../engine/worlds/worlds.ts'
import { checkOptions, type OptionChecks } from '../../shared/check-options.ts'
import { createRemoteWorld } from './remote-world.ts'
import { createTransport, inWorld } from './transport.ts'
import type { RemoteUnderstudy } from './types.ts'

export interface ClientOptions {
  /** The world that the client's own members control. Default `main`. */
  readonly world?: string
  /** The token of `pipeline-understudy serve --admin-token`. */
  readonly adminToken?: string
  /** True if the first use of a world creates it, as `createUnderstudy` does. Default: true. */
  readonly makesWorlds?: boolean
  /** Function that sends the requests. Default: the global `fetch`, read at each call. */
  readonly fetch?: (input: string | Request, init?: RequestInit) => Promise<Response>
}

const optionNames: OptionChecks<ClientOptions> = {
  world: true,
  adminToken: true,
  makesWorlds: true,
  fetch: true,
}

/**
 * Creates a client of a running mock server, in Node or on a page of the same origin. It has the members of
 * `Understudy`, with promises as results.
 *
 * @throws ClientError if the URL is invalid, and from each call that the server refuses or does not answer.
 * @example
 * const understudy = createClient('http://127.0.0.1:6789')
 */
export function createClient(url: string | URL, options: ClientOptions = {}): RemoteUnderstudy {
  checkOptions('createClient', options, optionNames)
  const transport = createTransport(url, options.adminToken, options.fetch)
  const { makesWorlds = true } = options
  const transportTo = (name: string) => (makesWorlds ? inWorld(transport, name) : transport)
  const following = new Set<() => void>()
  const world = (name: string) => createRemoteWorld(transportTo(name), name, following)
  // Copies getters as getters: each read of `apiKeys` asks the server.
  return Object.defineProperties(
    {},
    {
      ...Object.getOwnPropertyDescriptors(world(options.world ?? 'main')),
      ...Object.getOwnPropertyDescriptors({
        get auth() {
          return transport.send<Pick<Understudy, 'auth'>>('GET', '/version').then(({ auth }) => auth)
        },
        world,
        worlds: {
          list: async () =>
            (await transport.send<{ worlds: ReturnType<Understudy['worlds']['list']> }>('GET', '/worlds'))
              .worlds,
          async create(name, options = {}) {
            await transport.send('POST', '/worlds', { body: { name, ...options } })
            return world(name)
          },
          delete: (name) => transport.attempt('DELETE', `/worlds/${encodeURIComponent(name)}`),
          profiles: async () =>
            (await transport.send<{ profiles: ProfileSummary[] }>('GET', '/profiles')).profiles,
          faultyVariants: async () =>
            (await transport.send<{ faultyVariants: FaultyVariantSummary[] }>('GET', '/faulty-variants'))
              .faultyVariants,
        },
        async dispose() {
          for (const end of following) end()
        },
      } satisfies Omit<RemoteUnderstudy, keyof ReturnType<typeof world>>),
    },
  ) as RemoteUnderstudy
}
