import type { AnyFactory } from '../../factories/factory.ts'
import type { Factories } from '../../factories/tables.ts'
import type { WireRecord } from '../../resources/resource.ts'
import { freeze, required } from '../../shared/values.ts'
import { type AdminTransport, pathOf } from './transport.ts'

/** Creates the factories of a world, each at its first use. */
export function createRemoteFactories(transport: AdminTransport, world: string): Factories {
  const make = (name: string, traits: readonly string[] = []): AnyFactory => {
    const send = async (body: object) => {
      const path = `${pathOf('worlds', world)}/factories${pathOf(name)}`
      const { records } = await transport.send<{ records: WireRecord[] }>('POST', path, {
        body: { ...body, traits },
      })
      return freeze(records)
    }
    return {
      create: async (values = {}) => required((await send({ values }))[0], 'a record in the reply'),
      async createMany(count, values = {}) {
        if (typeof values !== 'function') return [...(await send({ values, count }))]
        return [...(await send({ values: Array.from({ length: count }, (_, index) => values(index)) }))]
      },
      with: (...more) => make(name, [...traits, ...more]),
    }
  }
  return new Proxy({} as Factories, {
    get: (_, name) => (typeof name === 'symbol' || name === 'then' ? undefined : make(name)),
  })
}
