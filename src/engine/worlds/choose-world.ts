import { readApiKey, readWorldName, splitApiKey } from '../../shared/credentials.ts'
import { recordInvalid } from '../../shared/errors.ts'
import { isAuthorized } from '../authorize.ts'
import type { RequestContext } from '../request-context.ts'
import { mainWorld, refuseName, type WorldMap } from './worlds.ts'

/**
 * Chooses the world of a request: that of the handle that received it, else the one it names in the header or after
 * the last `~` of its API key, else that of its adapter. An authorized request creates a world that does not exist
 * yet. Any other request is answered as it would be there, and leaves nothing behind.
 *
 * @throws ApiError where the name is invalid.
 */
export function chooseWorld(context: RequestContext, worlds: WorldMap, handle: string | undefined): void {
  let name = handle ?? readWorldName(context)
  if (name === undefined) {
    const key = readApiKey(context)
    // Most requests have no key, and most keys no world.
    const namesWorld = typeof key === 'string' && key.includes('~') && !worlds.main.isApiKey(key)
    name = (namesWorld ? splitApiKey(key).world : undefined) ?? context.request.world ?? mainWorld
  }
  const refusal = name === mainWorld ? undefined : refuseName(name)
  if (refusal !== undefined) {
    if (context.method !== 'OPTIONS') throw recordInvalid(`The name of a world: ${refusal}`)
    // A preflight is allowed whatever it names: the browser reads no error in it.
    context.enter(worlds.use(mainWorld))
    return
  }
  if (worlds.has(name)) {
    context.enter(worlds.use(name))
    return
  }
  const tentative = worlds.conceive(name)
  context.enter(tentative, true)
  if (isAuthorized(context)) context.enter(worlds.use(name, tentative))
}
