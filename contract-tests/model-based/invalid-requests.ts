import type { SendOptions } from '../runner/client.ts'

/**
 * A request that no target can carry out. Its path and body may contain `{pipeline}`, `{prefix}` for the prefix of the
 * sequence, and `{none}` and `{id}` for the uuid and the id of an unknown record.
 */
export interface InvalidRequest {
  readonly method: string
  readonly path: string
  readonly options?: SendOptions
}

const home = '/api/pipelines/{pipeline}'
const nowhere = '/api/pipelines/{none}'

/** Writes that are refused whatever else is wrong with them: a record without what it needs, or for nothing. */
const writes = [
  ['POST', '/api/pipelines', 'pipeline'],
  ['POST', `${nowhere}/blocks`, 'block'],
  ['POST', `${nowhere}/backfills`, 'backfill'],
  ['PUT', `${home}/backfills/{id}`, 'backfill'],
  ['POST', '/api/sessions', 'session'],
] as const

/** Bodies that a parser, a type or a limit may fail on. */
const bodies: readonly ((name: string) => SendOptions)[] = [
  (name) => ({ text: `{"${name}":{"name":"{none}"}}`, headers: { 'Content-Type': 'text/plain' } }),
  (name) => ({ text: `{"${name}":{"name":"{none}\\u0000"}}` }),
  (name) => ({ text: `{"${name}":{"name":"{none}\\ud800"}}` }),
  (name) => ({ text: `{"${name}":{"name":"${'x'.repeat(150_000)}"}}` }),
  (name) => ({ text: `{"${name}":"text"}` }),
  () => ({ text: '{' }),
  () => ({ text: '{"name":"{none}"}' }),
  () => ({ text: '[]' }),
]

const long = 'x'.repeat(2_000)

/** Paths of records that cannot be there. */
const paths: readonly (readonly [method: string, path: string])[] = [
  ['GET', `/api/pipelines/${long}`],
  ['POST', `/api/pipelines/${long}/blocks`],
  ['GET', `${home}/blocks/${long}`],
  ['DELETE', `${home}/blocks/${long}`],
  ['POST', `/api/pipelines/${long}/backfills`],
  ['PUT', `${home}/backfills/${long}`],
  ['DELETE', `/api/backfills/${long}`],
  ['GET', `/api/pipelines/${long}/pipeline_schedules`],
  ['GET', `/api/pipelines/${long}/logs`],
  ['POST', `/api/pipeline_schedules/{id}/pipeline_runs/${long}`],
  ['GET', '/api/no_such_resource'],
  ['GET', `${home}/no_such_children`],
  ['DELETE', `${home}/blocks`],
  ['GET', `${home}/blocks/none/more`],
  ['PATCH', home],
  ['DELETE', '/api/backfills/not-a-number'],
  ['PUT', `${home}/backfills/{id}.5`],
  ['GET', `${home}/blocks/%F0%9F%9A%80`],
  // What a database or a language fails on: a quote, a NUL, bytes that are no text, numbers of 65 bits, names of its own.
  ['GET', "/api/pipelines/no'such%00one"],
  ['GET', '/api/pipelines/no%FFsuch'],
  ['GET', '/api/pipelines/constructor'],
  ['GET', `${home}/blocks/__proto__`],
  ['DELETE', '/api/backfills/99999999999999999999'],
  ['PUT', `${home}/backfills/99999999999999999999`],
  ['POST', '/api/pipeline_schedules/99999999999999999999/pipeline_runs/none'],
]

/** Queries of which nothing is specified: whatever a target makes of them, it answers in the form of the API. */
const queries: readonly string[] = [
  ...['/api/backfills', '/api/oauth_access_tokens', `${home}/logs`].flatMap((list) =>
    ['_limit=many', '_limit=-1', '_offset=-1&_limit=1.5', '_offset=99999999999999999999'].map((query) => `${list}?${query}`),
  ),
  ...[home, `${home}/blocks/none`, '/api/backfills', `${home}/pipeline_schedules`, `${home}/logs`, '/api/oauth_access_tokens'].map(
    (read) => `${read}?_limit=1&${long}=1`,
  ),
  `${home}/logs?start_timestamp=yesterday`,
  "/api/backfills?pipeline_uuid=no'such%00one",
  `${home}/pipeline_schedules?tag[]=no'such`,
] // biome-ignore format: one line each

/** Every invalid request: every write with every body, every path and every query. */
export const invalidRequests: readonly InvalidRequest[] = [
  ...writes.flatMap(([method, path, name]) => bodies.map((body) => ({ method, path, options: body(name) }))),
  ...paths.map(([method, path]) => ({ method, path, ...(method === 'GET' || method === 'DELETE' ? {} : { options: { body: {} } }) })),
  ...queries.map((path) => ({ method: 'GET', path })),
] // biome-ignore format: one line each
