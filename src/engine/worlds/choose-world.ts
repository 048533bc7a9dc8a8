import { readApiKey, readWorldName, splitApiKey } from '../../wire/credentials.ts'
import { recordInvalid } from '../../wire/errors.ts'
import type { RequestContext } from '../request-context.ts'
import { mainWorld, refuseName, type WorldMap } from './worlds.ts'

/**
 * Takes a request to its world, which is born where there is none yet: that of the handle that it came through, else
 * that which it names in the header for it or after the last `~` of its API key, else that of its face.
 *
 * @throws ApiError where the name is none.
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
  if (refusal === undefined) {
    const isNew = name !== mainWorld && !worlds.has(name)
    context.enter(worlds.use(name), isNew)
  } else {
    if (context.method !== 'OPTIONS') throw recordInvalid(`The name of a world: ${refusal}`)
    // A preflight is allowed whatever it names: the browser reads no error in it.
    context.enter(worlds.use(mainWorld), false)
  }
}
