import type { Understudy } from '../engine/create-understudy.ts'
import { authModes } from '../engine/worlds/world-settings.ts'
import { apiKeyLocations } from '../shared/credentials.ts'

/** Returns a valid token if requests need one: of the fixture, or of a new session of its first user. */
export async function tokenOf(understudy: Understudy): Promise<string | undefined> {
  if (!authModes[understudy.auth].needsToken) return undefined
  return activeToken(understudy) ?? (await signIn(understudy))
}

/** Opens a session for the first user, if the fixture has a user but no valid token. */
async function signIn(understudy: Understudy): Promise<string | undefined> {
  const user = understudy.model.users.findFirst()
  if (user === undefined) return undefined
  await understudy.dispatch({
    method: 'POST',
    url: '/api/sessions',
    headers: { [apiKeyLocations.header.name]: understudy.apiKeys[0] },
    body: JSON.stringify({ session: { email: user.email, password: user.password } }),
  })
  return activeToken(understudy)
}

function activeToken({ model, clock }: Understudy): string | undefined {
  const now = new Date(clock.now()).toISOString().replace('T', ' ')
  return model.oauth_access_tokens.findFirst((query) => query.where({ expires: (expires) => expires > now }))
    ?.token
}
