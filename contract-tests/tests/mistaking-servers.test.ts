import { expect, it } from 'vitest'
import { judgeDerived } from './judge-derived.ts'
import { mistakingServers } from './mistaking-servers.ts'

it.concurrent.each(mistakingServers.map((server) => [server.name, server] as const))(
  'catches that %s',
  async (_, { start }) => {
    expect((await judgeDerived(start, [], { bail: true })).kind).toBe('killed')
  },
)
