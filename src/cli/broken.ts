// What `serve --broken` needs, apart from the rest: it is loaded where somebody asks for it.
import { breakUnderstudy } from '../../contract-tests/broken/break-understudy.ts'
import { brokenServers } from '../../contract-tests/broken/servers.ts'
import type { Understudy } from '../engine/create-understudy.ts'

export { brokenServers }

/** The understudy as the wrong server of a name, which has been checked. */
export function breakBy(name: string, good: Understudy): Understudy {
  const broken = brokenServers.find((server) => server.name === name)
  return broken === undefined ? good : breakUnderstudy(good, broken)
}
