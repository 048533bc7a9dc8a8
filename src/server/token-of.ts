import type { Understudy } from '../engine/create-understudy.ts'
import { authModes } from '../engine/worlds/world-settings.ts'
import { apiKeyLocations } from '../shared/credentials.ts'

/** A token that is good, where requests need one: of the fixture, or of a session opened for its first user. */
export async function tokenOf(understudy: Understudy): Promise<string | undefined> {
  if (!authModes[understudy.auth].needsToken) return undefined
  return activeToken(understudy) ?? (await signIn(understudy))
}

/** Opens a session for the first user, where the fixture has a user and no token that is good. */
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
