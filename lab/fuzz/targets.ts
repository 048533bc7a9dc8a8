import fc from 'fast-check'
import type { Bytes } from './bytes.ts'
import { apiKey, longText, pick, rarely, text, toTarget } from './texts.ts'

const routes = [
  'oauth_access_tokens', 'sessions', 'pipelines', 'pipelines/:p', 'pipelines/:p/blocks',
  'pipelines/:p/blocks/:b', 'pipelines/:p/pipeline_schedules', 'pipeline_schedules',
  'pipeline_schedules/:i', 'backfills', 'backfills/:i', 'pipelines/:p/backfills',
  'pipelines/:p/backfills/:i', 'pipeline_schedules/:i/pipeline_runs/:t', 'pipeline_runs',
  'pipeline_schedules/:i/pipeline_runs', 'pipeline_runs/:i', 'pipelines/:p/logs', 'statuses',
  'statuses/:i',
] // biome-ignore format: a list
const parameter: Readonly<Record<string, fc.Arbitrary<string>>> = {
  p: rarely(pick('daily_sales', 'a', 'b', 'pipeline_1'), text, 5),
  b: rarely(pick('load', 'sum_up', 'a', 'b'), text, 5),
  i: rarely(pick('1', '2', '3', '7'), text, 5),
  t: rarely(pick('let-me-in', 'wrong'), text, 5),
}
const routePath = fc
  .record({ route: pick(...routes), p: parameter.p!, b: parameter.b!, i: parameter.i!, t: parameter.t! })
  .map(({ route, ...values }) => `/api/${route.replaceAll(/:(\w)/g, (_, name: 'p') => values[name])}`)

const mutations: readonly ((path: string, at: number) => string)[] = [
  (path) => `${path}/`,
  (path) => path.toUpperCase(),
  (path) => path.replaceAll('/', '//'),
  (path) => path.replace('/api', '/api/.'),
  (path) => path.replace('/api/', '/api/x/../'),
  (path) => path.replace('/api/', '/%61pi/'),
  (path) => `/.${path}`,
  (path) => `//other.example${path}`,
  (path) => `http://other.example:99999${path}`,
  (path) => `HTTPS://[::1]${path}`,
  (path) => `${path};jsessionid=1`,
  (path) => `${path}#fragment?_limit=1`,
  (path) => `${path}%00`,
  (path) => `${path}%`,
  (path, at) => `${path.slice(0, at)}%${path.slice(at)}`,
  (path, at) => `${path.slice(0, at)}\\${path.slice(at)}`,
  (path, at) => `${path.slice(0, at)}💥${path.slice(at)}`,
  (path, at) => path.slice(0, at) || '/',
  (path, at) =>
    at < path.length ? `${path.slice(0, at)}%${path.charCodeAt(at).toString(16)}${path.slice(at + 1)}` : path,
]
/** The routes of the admin API, without those that change correct replies: faults, switches and another fixture. */
const adminRoutes = [
  'health', 'version', 'openapi.json', 'worlds', 'worlds/:w', 'worlds/:w/reset', 'worlds/:w/snapshots',
  'worlds/:w/snapshots/:n', 'worlds/:w/snapshots/:n/restore', 'worlds/:w/records/:r',
  'worlds/:w/records/:r/:n', 'worlds/:w/journal', 'worlds/:w/journal.har', 'worlds/:w/runs/script',
  'worlds/:w/runs/:n/finish', 'worlds/:w/tokens/raw', 'worlds/:w/factories/:r', 'worlds/:w/clock', ':n',
  '',
] // biome-ignore format: a list
const adminPath = fc
  .record({
    route: pick(...adminRoutes),
    w: rarely(pick('main', 'alice'), text, 6),
    r: rarely(pick('pipelines', 'backfills', 'backfill', 'pipeline'), text, 6),
    n: rarely(pick('1', 'daily_sales', 'before'), text, 4),
  })
  .map(
    ({ route, ...values }) =>
      `/__understudy__/api/${route.replaceAll(/:(\w)/g, (_, name: 'w') => values[name])}`,
  )

const mutatedPath = fc
  .tuple(routePath, fc.array(fc.tuple(pick(...mutations), fc.nat(40)), { minLength: 1, maxLength: 2 }))
  .map(([path, steps]) => steps.reduce((before, [mutate, at]) => mutate(before, at), path))
const sitePath = pick(
  '/', '*', '/openapi.json', '/%ff', '/%', '/api.json', '/apis', '/API', '/favicon.ico', '/..',
  '/?/api/', '/__understudy__', '/__understudy__/api/health', '/__understudy__/api/worlds/%',
  '/__understudy__/../api', 'http://', 'x:',
) // biome-ignore format: a list
const anyPath = text.map((value) => `/api/${value}`)
const path = fc.oneof(
  { weight: 10, arbitrary: routePath },
  { weight: 4, arbitrary: mutatedPath },
  { weight: 1, arbitrary: sitePath },
  { weight: 2, arbitrary: anyPath },
  { weight: 1, arbitrary: adminPath },
)

const queryNames = pick(
  '_limit', '_offset', 'api_key', 'include_schedules', 'include_run_count', 'pipeline_uuid', 'status',
  'tag[]', 'force', 'block_type', 'start_timestamp', 'show_all', '__proto__', 'tag', '_limit[]',
  'constructor',
) // biome-ignore format: a list
const queryPair = fc
  .tuple(
    rarely(queryNames, text, 6),
    fc.oneof(apiKey, pick('1', '0', '2', '-1', 'True', 'nightly', '999999999999999'), text),
  )
  .map(([name, value]) => `${name}=${value}`)
const query = fc
  .array(fc.oneof({ weight: 8, arbitrary: queryPair }, { weight: 1, arbitrary: text }), {
    minLength: 1,
    maxLength: 4,
  })
  .map((pairs) => `?${pairs.join('&')}`)
export const target: fc.Arbitrary<Bytes> = fc
  .tuple(
    path,
    fc.oneof({ weight: 3, arbitrary: fc.constant('') }, { weight: 2, arbitrary: query }),
    rarely(fc.constant(''), longText, 60),
  )
  .map(([path, query, long]) => toTarget(path + query + long).slice(0, 11_000))
  // A request line needs a path or an absolute address.
  .map((target) => (/^(?:\/|\*$|HTTPS?:\/\/[\w.:[\]-]+\/)/i.test(target) ? target : `/${target}`))
