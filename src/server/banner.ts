import type { Understudy } from '../engine/create-understudy.ts'
import { authModes } from '../engine/worlds/world-settings.ts'
import { adminPath, isLoopbackAddress } from '../shared/addresses.ts'
import { apiKeyLocations, tokenLocations } from '../shared/credentials.ts'
import * as limits from '../shared/limits.ts'
import { shellWord } from '../shared/words.ts'
import { tokenOf } from './token-of.ts'

/** Whom the admin API answers. */
export type AdminAudience = 'nobody' | 'this machine' | 'token'

/** The lines a server starts with: where it listens, its credentials, and three commands that work when pasted. */
export async function bannerLines(
  understudy: Understudy,
  url: string,
  admin: AdminAudience = 'nobody',
): Promise<string[]> {
  const { auth, model, apiKeys } = understudy
  const token = await tokenOf(understudy)
  const host = new URL(url).hostname.replace(/^\[|\]$/g, '')
  const missing = missingCredential(understudy, token)
  const users = model.users.findMany().map(({ email, password }) => `${email} / ${password}`)
  return [
    `pipeline-understudy listens on ${url} (auth: ${auth})`,
    ...(isLoopbackAddress(host)
      ? []
      : [`It can be reached from other machines: ${host} is not a loopback address.`]),
    ...(apiKeys.length > 0 ? [`  API key  ${apiKeys.join(', ')}`] : []),
    ...(users.length > 0 ? [`  users    ${users.join(', ')}`] : []),
    ...(token === undefined
      ? []
      : [`  token    ${token} (${tokenLocations.header.name} or ${tokenLocations.bearer.scheme})`]),
    ...(admin === 'nobody'
      ? []
      : [`  page     ${url}/ (${audiences[admin]})`, `  admin    ${url}${adminPath}/ (${audiences[admin]})`]),
    `  clock    however far it is moved at once, a schedule fires ${limits.firings} times at most, all together ${limits.firingsTogether}; what is left out is said`,
    ...(missing === undefined ? [] : [missing]),
    '',
    ...curlLines(understudy, url, token).map((line) => `  ${line}`),
    '',
  ]
}

const audiences = { 'this machine': 'from this machine', token: 'with the admin token' } as const

/**
 * Says which credential everybody is asked for and nobody can have, and the way out; nothing where somebody gets in.
 * `token` is one that is good.
 */
function missingCredential({ auth, apiKeys }: Understudy, token: string | undefined): string | undefined {
  if (authModes[auth].asksForKey && apiKeys.length === 0)
    return `Nobody gets in: --auth ${auth} asks for an API key, and there is none. Add "api_keys": ["my-key"] to the fixture, or choose --auth open.`
  if (authModes[auth].asksForToken && token === undefined)
    return 'Nobody gets in: --auth login asks for a token, and there is neither a good one nor a user to sign in as. Add "users": [{ "email": "me@example.com", "password": "my-password" }] to the fixture, or choose --auth key.'
  return undefined
}

/** The commands; those that need a credential which nobody can have are left out. */
/** Replaces halves of surrogate pairs, which have no bytes in UTF-8. */
function wellFormed(text: string): string {
  return text.replace(/\p{Surrogate}/gu, '\ufffd')
}

function curlLines(understudy: Understudy, url: string, token: string | undefined): string[] {
  const { auth, model, apiKeys } = understudy
  const [key] = apiKeys
  const curl = [
    'curl -s',
    ...(authModes[auth].asksForKey && key !== undefined
      ? [`-H ${shellWord(`${apiKeyLocations.header.name}: ${key}`)}`]
      : []),
    ...(token === undefined ? [] : [`-H ${shellWord(`${tokenLocations.header.name}: ${token}`)}`]),
  ].join(' ')
  const json = `-H 'Content-Type: application/json'`
  const schedule = model.pipeline_schedules.findFirst()
  const trigger =
    schedule &&
    `/api/pipeline_schedules/${schedule.id}/pipeline_runs/${encodeURIComponent(wellFormed(schedule.token))}`
  // The token in its path is all that a trigger needs.
  const triggering =
    trigger === undefined ? [] : [`curl -s ${json} -d '{"from":"curl"}' ${shellWord(`${url}${trigger}`)}`]
  if (missingCredential(understudy, token) !== undefined) return triggering
  const [third = `${curl} ${shellWord(`${url}/api/backfills`)}`] = triggering
  return [
    `${curl} ${shellWord(`${url}/api/pipelines?_limit=2`)}`,
    `${curl} ${json} -d '{"pipeline":{"name":"my first","type":"python"}}' ${shellWord(`${url}/api/pipelines`)}`,
    third,
  ]
}
