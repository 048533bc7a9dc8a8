import { readApiKey, readWorldName, splitApiKey } from '../../shared/credentials.ts'
import { recordInvalid } from '../../shared/errors.ts'
import { isLetIn } from '../authorize.ts'
import { andThen, type MaybePromise } from '../maybe-promise.ts'
import type { RequestContext } from '../request-context.ts'
import { mainWorld, refuseName, type WorldMap } from './worlds.ts'

/**
 * Takes a request to its world: that of the handle that it came through, else that which it names in the header for it
 * or after the last `~` of its API key, else that of its face. One that is not there yet is born where the request is
 * let in; else it is answered as it would be there, and leaves nothing behind.
 *
 * @throws ApiError where the name is none.
 */
export function chooseWorld(
  context: RequestContext,
  worlds: WorldMap,
  handle: string | undefined,
): MaybePromise<void> {
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
  const { laterStart } = worlds
  context.enter(worlds.conceive(name), true)
  return andThen(isLetIn(context), (isIn) => {
    if (!isIn) return
    // Another request may have given birth to it meanwhile, or worlds begin with something else.
    const conceived = worlds.laterStart === laterStart ? context.world : worlds.conceive(name)
    context.enter(worlds.use(name, conceived))
  })
}
