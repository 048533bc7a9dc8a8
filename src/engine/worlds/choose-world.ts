import { readApiKey, readWorldName, splitApiKey } from '../../wire/credentials.ts'
import { recordInvalid } from '../../wire/errors.ts'
import type { RequestContext } from '../request-context.ts'
import { mainWorld, refuseName, type WorldMap } from './worlds.ts'

/**
 * Takes a request to its world, which is born where there is none yet: then the answer is true. It is the world of the
 * handle that the request came through, else that which it names itself, else that of its face.
 *
 * @throws ApiError where the name is none.
 */
export function chooseWorld(context: RequestContext, worlds: WorldMap, handle: string | undefined): boolean {
  const name = handle ?? nameWorld(context, worlds) ?? context.request.world ?? mainWorld
  const refusal = name === mainWorld ? undefined : refuseName(name)
  if (refusal === undefined) {
    const isNew = !worlds.has(name)
    context.enter(worlds.use(name))
    return isNew
  }
  if (context.method !== 'OPTIONS') throw recordInvalid(`The name of a world: ${refusal}`)
  // A preflight is allowed whatever it names: the browser reads no error in it.
  context.enter(worlds.use(mainWorld))
  return false
}

/** The name in the header for it, else what follows the last `~` of the API key. */
function nameWorld(context: RequestContext, { main }: WorldMap): string | undefined {
  const name = readWorldName(context)
  if (name !== undefined) return name
  const key = readApiKey(context)
  // Most requests have no key, and most keys no world.
  if (typeof key !== 'string' || !key.includes('~') || main.isApiKey(key)) return undefined
  return splitApiKey(key).world
}
