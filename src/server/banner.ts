import type { Understudy } from '../engine/create-understudy.ts'
import { authModes } from '../engine/worlds/world-settings.ts'
import { isLoopbackAddress } from '../shared/addresses.ts'
import { apiKeyLocations, tokenLocations } from '../shared/credentials.ts'
import { shellWord } from '../shared/words.ts'
import type { AdminOption } from './admin.ts'
import { tokenOf } from './token-of.ts'

/** Returns the banner of a server: address, credentials, pages, unusual settings, and two commands to paste. */
export async function bannerLines(
  understudy: Understudy,
  url: string,
  admin: AdminOption = false,
  settings: readonly string[] = [],
): Promise<string[]> {
  const { auth, model, apiKeys } = understudy
  const token = await tokenOf(understudy)
  const host = new URL(url).hostname.replace(/^\[|\]$/g, '')
  const missing = missingCredential(understudy, token)
  const users = authModes[auth].needsToken
    ? model.users.findMany().map(({ email, password }) => `${email} / ${password}`)
    : []
  return [
    `pipeline-understudy listens on ${url} (auth: ${auth})`,
    ...(isLoopbackAddress(host) ? [] : [`Other machines can connect: ${host} is not a loopback address.`]),
    ...apiKeys.map((key) => `  API key  ${key}`),
    ...users.map((user) => `  user     ${user}`),
    ...(token === undefined
      ? []
      : [`  token    ${token} (${tokenLocations.header.name} or ${tokenLocations.bearer.scheme})`]),
    ...(admin === false ? [] : [`  panel    ${url}/ (${audienceOf(admin)})`]),
    `  docs     ${url}/docs`,
    ...settings.map((setting) => `  ${setting}`),
    ...(missing === undefined ? [] : [missing]),
    '',
    ...curlCommands(understudy, url, token).flatMap(wrap),
    '',
  ]
}

function audienceOf(admin: AdminOption): string {
  return typeof admin === 'object' && admin.token !== undefined ? 'with the admin token' : 'from this machine'
}

/** Explains which required credential does not exist and how to add one; `undefined` if clients can authenticate. */
function missingCredential({ auth, apiKeys }: Understudy, token: string | undefined): string | undefined {
  if (authModes[auth].needsKey && apiKeys.length === 0)
    return `Nobody can authenticate: --auth ${auth} requires an API key.\nAdd "api_keys": ["my-key"] to the fixture, or use --auth open.`
  if (authModes[auth].needsToken && token === undefined)
    return 'Nobody can authenticate: --auth login requires a token or a user.\nUse --auth key, or add this to the fixture:\n  "users": [{ "email": "me@example.com", "password": "my-password" }]'
  return undefined
}

const maximumWidth = 80

/** Breaks a command into indented lines; the shell joins lines that end with a backslash. */
function wrap(words: readonly string[]): string[] {
  const lines: string[] = []
  let line = ' '
  for (const word of words) {
    if (`${line} ${word} \\`.length > maximumWidth && line.trim() !== '') {
      lines.push(`${line} \\`)
      line = '   '
    }
    line += ` ${word}`
  }
  return [...lines, line]
}

function curlCommands(understudy: Understudy, url: string, token: string | undefined): string[][] {
  if (missingCredential(understudy, token) !== undefined) return []
  const { auth, apiKeys } = understudy
  const [key] = apiKeys
  const curl = [
    'curl -s',
    ...(authModes[auth].needsKey && key !== undefined
      ? [`-H ${shellWord(`${apiKeyLocations.header.name}: ${key}`)}`]
      : []),
    ...(token === undefined ? [] : [`-H ${shellWord(`${tokenLocations.header.name}: ${token}`)}`]),
  ]
  return [
    [...curl, shellWord(`${url}/api/pipelines?_limit=2`)],
    [
      ...curl,
      `-H 'Content-Type: application/json'`,
      `-d '{"pipeline":{"name":"my first","type":"python"}}'`,
      shellWord(`${url}/api/pipelines`),
    ],
  ]
}
