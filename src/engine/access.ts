import type { Operation } from '../resources/resource.ts'
import {
  apiKeyLocations,
  type PresentedToken,
  readApiKey,
  readToken,
  splitApiKey,
  worldHeader,
} from '../shared/credentials.ts'
import { ApiError, quote, recordInvalid } from '../shared/errors.ts'
import { isWorldName, nameFromKey, worldNameRule } from '../shared/world-name.ts'
import type { RequestContext } from './request-context.ts'
import { authModes } from './worlds/world-settings.ts'
import { mainWorld, type WorldMap } from './worlds/worlds.ts'

/**
 * Checks a request's credentials and finds its user (spec, "Authentication").
 *
 * @throws ApiError `invalid_api_key`, `unauthorized_access`, `invalid_oauth_token` or `expired_oauth_token`.
 */
export function authorize(context: RequestContext, operation: Operation): void {
  const mode = authModes[context.world.settings.auth]
  if (mode.needsKey) checkApiKey(context)
  const needsToken = mode.needsToken && operation.credentials !== 'api-key'
  const presented = readToken(context)
  if (presented === undefined) {
    if (needsToken)
      throw new ApiError('unauthorized_access', 'An OAuth token is needed; create a session to get one.')
    return
  }
  findUser(context, decode(context, presented), needsToken)
}

/**
 * Reports whether a request has the necessary credentials, and so may create the world that it names. A request that
 * matches no operation needs only the API key.
 */
function isAuthorized(context: RequestContext): boolean {
  const { match, world } = context
  if (!authModes[world.settings.auth].needsKey) return true
  const operation = match.kind === 'endpoint' ? match.endpoint.operation : undefined
  if (operation?.credentials === 'none') return operation.authorizePathToken?.(context) ?? false
  try {
    if (operation === undefined) checkApiKey(context)
    else authorize(context, operation)
    return true
  } catch (error) {
    if (error instanceof ApiError) return false
    throw error
  }
}

function checkApiKey(context: RequestContext): void {
  const { world } = context
  const given = (world.settings.profile?.readApiKey ?? readApiKey)(context)
  if (typeof given === 'string' && (world.isApiKey(given) || world.isApiKey(splitApiKey(given).key))) return
  const reason = given === undefined ? 'No API key was sent' : 'The API key is not known'
  const { query, header } = apiKeyLocations
  throw new ApiError(
    'invalid_api_key',
    `${reason}; send it as ${query.name} or in the header ${header.name}.`,
  )
}

/** Returns the decoded form of a token, which is what the model stores. */
function decode(
  { world }: RequestContext,
  { token, location: { form } }: PresentedToken,
): string | undefined {
  const isRaw =
    form === 'raw' ||
    (form === 'decoded or raw' && world.switches.bearer === 'decoded or raw' && token.split('.').length === 3)
  return isRaw ? world.settings.tokens.read(token) : token
}

function findUser(context: RequestContext, token: string | undefined, needsToken: boolean): void {
  const { model } = context.world
  const found = token === undefined ? undefined : context.world.authenticates(token)
  const isExpired = found !== undefined && found.expires <= model.now()
  if (needsToken && found === undefined)
    throw new ApiError('invalid_oauth_token', 'The OAuth token is not known.')
  if (needsToken && isExpired) {
    throw new ApiError(
      'expired_oauth_token',
      'The OAuth token has expired; create a session to get a new one.',
    )
  }
  if (found !== undefined && !isExpired) context.user = found.user
}

/**
 * Chooses the world of a request: the world of the handle that received it, else the one that the header or
 * the end of the API key (after the last `~`) names, else that of its adapter. An authorized request creates
 * a missing world. A tentative world, which is not stored, answers any other request.
 *
 * @throws ApiError where the name is invalid.
 */
export function chooseWorld(context: RequestContext, worlds: WorldMap, handle: string | undefined): void {
  let name = handle ?? context.headers[worldHeader]?.toString()
  let key: string | undefined
  if (name === undefined) {
    const given = readApiKey(context)
    // Most requests have no key, and most keys no world.
    if (typeof given === 'string' && given.includes('~') && !worlds.main.isApiKey(given)) key = given
    name = (key === undefined ? undefined : splitApiKey(key).world) ?? context.request.world ?? mainWorld
  }
  if (name === mainWorld) {
    context.enter(worlds.use(name))
    return
  }
  if (!isWorldName(name)) {
    // The end of an API key may be part of a secret, so it is not quoted.
    const found = key === undefined ? `; found ${quote(name)}` : ', behind the ~ of the API key'
    if (context.method !== 'OPTIONS')
      throw recordInvalid(`The name of a world: expected ${worldNameRule}${found}.`)
    // Allows a preflight for any world: browsers do not read its errors.
    context.enter(worlds.use(mainWorld))
    return
  }
  if (key === undefined) worlds.reveal(name)
  else name = nameOfKey(key, name, worlds)
  if (worlds.has(name)) {
    context.enter(worlds.use(name))
    return
  }
  const tentative = worlds.createTentative(name)
  context.enter(tentative, true)
  if (isAuthorized(context)) context.enter(worlds.use(name, tentative))
}

/**
 * Returns the name of the world that an API key names. After an unknown key, the text behind the `~` may
 * belong to a secret. Such a world gets a hash as its name, until somebody names it without a key.
 */
function nameOfKey(key: string, named: string, worlds: WorldMap): string {
  return worlds.has(named) || worlds.main.isApiKey(splitApiKey(key).key) ? named : nameFromKey(named)
}
