import type { Understudy } from '../engine/create-understudy.ts'

/** The lines a server starts with: where it listens, its credentials, and three commands that work when pasted. */
export async function bannerLines(understudy: Understudy, url: string, host: string): Promise<string[]> {
  const { auth, model, apiKeys } = understudy
  const token = auth === 'login' ? activeToken(understudy) : undefined
  const users = model.users.findMany().map(({ email, password }) => `${email} / ${password}`)
  return [
    `pipeline-understudy listens on ${url} (auth: ${auth})`,
    ...(isLoopback(host)
      ? []
      : [`It can be reached from other machines: ${host} is not a loopback address.`]),
    ...(apiKeys.length > 0 ? [`  API key  ${apiKeys.join(', ')}`] : []),
    ...(users.length > 0 ? [`  users    ${users.join(', ')}`] : []),
    ...(token === undefined ? [] : [`  token    ${token} (OAUTH-TOKEN or Bearer)`]),
    '',
    ...curlLines(understudy, url, token).map((line) => `  ${line}`),
    '',
  ]
}

function curlLines(understudy: Understudy, url: string, token: string | undefined): string[] {
  const { auth, model, apiKeys } = understudy
  const [key] = apiKeys
  const credentials =
    (auth !== 'open' && key !== undefined ? ` -H 'X-API-KEY: ${key}'` : '') +
    (token === undefined ? '' : ` -H 'OAUTH-TOKEN: ${token}'`)
  const schedule = model.pipeline_schedules.findFirst()
  const json = `-H 'Content-Type: application/json'`
  const create = `curl -s${credentials} ${json} -d '{"pipeline":{"name":"my first","type":"python"}}' '${url}/api/pipelines'`
  const login = users(understudy)
  return [
    `curl -s${credentials} '${url}/api/pipelines?_limit=2'`,
    ...(auth === 'login' && token === undefined && login !== undefined
      ? [`curl -s -H 'X-API-KEY: ${key}' ${json} -d '${login}' '${url}/api/sessions'`]
      : [create]),
    schedule === undefined
      ? `curl -s${credentials} '${url}/api/backfills'`
      : `curl -s ${json} -d '{"from":"curl"}' '${url}/api/pipeline_schedules/${schedule.id}/pipeline_runs/${schedule.token}'`,
  ]
}

function users({ model }: Understudy): string | undefined {
  const user = model.users.findFirst()
  return user && JSON.stringify({ session: { email: user.email, password: user.password } })
}

function activeToken({ model, clock }: Understudy): string | undefined {
  const now = new Date(clock.now()).toISOString().replace('T', ' ')
  return model.oauth_access_tokens.findFirst((query) => query.where({ expires: (expires) => expires > now }))
    ?.token
}

function isLoopback(host: string): boolean {
  return host === 'localhost' || host === '::1' || host.startsWith('127.')
}
