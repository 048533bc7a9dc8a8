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

/** Writes that a target refuses with any body below: an attribute is missing, or the record in the path is unknown. */
const writes = [
  ['POST', '/api/pipelines', 'pipeline'],
  ['POST', `${nowhere}/blocks`, 'block'],
  ['POST', `${nowhere}/backfills`, 'backfill'],
  ['PUT', `${home}/backfills/{id}`, 'backfill'],
  ['POST', '/api/sessions', 'session'],
] as const

/** Bodies that a parser or a limit may fail on; `malformedBodies` has others. */
const bodies: readonly ((name: string) => SendOptions)[] = [
  (name) => ({ text: `{"${name}":{"name":"{none}"}}`, headers: { 'Content-Type': 'text/plain' } }),
  (name) => ({ text: `{"${name}":{"name":"{none}\\u0000"}}` }),
  (name) => ({ text: `{"${name}":{"name":"{none}\\ud800"}}` }),
  (name) => ({ text: `{"${name}":{"name":"${'x'.repeat(150_000)}"}}` }),
]

/** Bodies of other media types, and of no object, each sent to one operation. */
const bodiesOfAny: readonly (readonly [path: string, options: SendOptions])[] = [
  ['/api/pipelines', { text: 'name=form', headers: { 'Content-Type': 'application/x-www-form-urlencoded' } }],
  [`${nowhere}/blocks`, { text: '--x\r\nContent-Disposition: form-data; name="name"\r\n\r\nform\r\n--x--\r\n', headers: { 'Content-Type': 'multipart/form-data; boundary=x' } }],
  ['/api/pipelines', { text: '[]' }],
  ['/api/sessions', { text: '{' }],
] // biome-ignore format: one body a line

/** Bodies of triggers that are no object. */
const bodiesOfTriggers = ['', 'null', '[]', '"text"', '{'] as const

const long = 'x'.repeat(2_000)

/** Paths of records that cannot exist. */
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
  // Databases and languages fail on a quote, invalid UTF-8, numbers of 65 bits, and names of their own. Paths have no NUL,
  // as proxies refuse it themselves.
  ['GET', "/api/pipelines/no'such"],
  ['GET', '/api/pipelines/no%FFsuch'],
  // The headers of a reply without its body.
  ['HEAD', '/api/pipelines'],
  ['HEAD', home],
  ['HEAD', `${home}/blocks/none`],
  ['HEAD', '/api/backfills?pipeline_uuid={pipeline}'],
  ['HEAD', `${home}/pipeline_schedules`],
  ['HEAD', `${home}/logs`],
  ['HEAD', '/api/oauth_access_tokens'],
  ['GET', '/api/pipelines/constructor'],
  ['GET', `${home}/blocks/__proto__`],
  ['DELETE', '/api/backfills/99999999999999999999'],
  ['PUT', `${home}/backfills/99999999999999999999`],
  ['POST', '/api/pipeline_schedules/99999999999999999999/pipeline_runs/none'],
]

/** Queries that the specification does not mention: whatever their effect, the reply has the form of the API. */
const queries: readonly string[] = [
  ...['/api/backfills', '/api/oauth_access_tokens', `${home}/logs`].flatMap((list) =>
    ['_limit=many', '_limit=-1', '_offset=-1&_limit=1.5', '_offset=99999999999999999999'].map((query) => `${list}?${query}`),
  ),
  ...[home, `${home}/blocks/none`, '/api/backfills', `${home}/pipeline_schedules`, `${home}/logs`, '/api/oauth_access_tokens'].map(
    (read) => `${read}?_limit=1&${long}=1`,
  ),
  `${home}/logs?start_timestamp=yesterday`,
  // Parameters without a value, several times, and as the members of an object or array.
  '/api/backfills?pipeline_uuid={none}&_limit=&_offset=&include_run_count=',
  '/api/backfills?_limit=1&pipeline_uuid=',
  '/api/oauth_access_tokens?_limit=&_offset=&show_all=',
  `${home}/logs?_limit=&_offset=&start_timestamp=`,
  `${home}/pipeline_schedules?tag[]=`,
  `${home}?include_schedules=`,
  '/api/backfills?pipeline_uuid={none}&pipeline_uuid={none}&_limit=1&_limit=1&_offset=0&_offset=0&include_run_count=true&include_run_count=true',
  '/api/oauth_access_tokens?_limit=1&_limit=1&_offset=0&_offset=0&show_all=1&show_all=1',
  `${home}/logs?_limit=1&_limit=1&_offset=0&_offset=0&start_timestamp=0&start_timestamp=0`,
  `${home}?include_schedules=1&include_schedules=1`,
  '/api/backfills?pipeline_uuid={none}&_limit%5Bmost%5D=1&_offset%5B%5D=1',
  "/api/backfills?pipeline_uuid=no'such%00one",
  `${home}/pipeline_schedules?tag[]=no'such`,
] // biome-ignore format: one line each

/** Every invalid request: every write with every body, every path and every query. */
export const invalidRequests: readonly InvalidRequest[] = [
  ...writes.flatMap(([method, path, name]) => bodies.map((body) => ({ method, path, options: body(name) }))),
  ...bodiesOfAny.map(([path, options]) => ({ method: 'POST', path, options })),
  ...bodiesOfTriggers.map((text) => ({ method: 'POST', path: '/api/pipeline_schedules/{id}/pipeline_runs/none', options: { text } })),
  ...['?force=&block_type=', '?force=no&force=no&block_type=custom&block_type=custom'].map((query) => ({ method: 'DELETE', path: `${home}/blocks/none${query}` })),
  ...paths.map(([method, path]) => ({ method, path, ...(['GET', 'HEAD', 'DELETE'].includes(method) ? {} : { options: { body: {} } }) })),
  ...queries.map((path) => ({ method: 'GET', path })),
] // biome-ignore format: one line each

/** Bodies of writes without a record under its name. */
export const malformedBodies: readonly ((name: string) => string)[] = [
  (name) => `{"${name}": null}`,
  (name) => `{"${name}": []}`,
  () => '{}',
  (name) => `{"${name}": "text"}`,
  () => 'null',
  () => '{',
  (name) => `{"${name}": 7}`,
  () => '[]',
  () => '',
  () => '"text"',
  () => '{"name": "bare"}',
  () => '{} {}',
  () => 'name=form',
]

/** The JSON type of an attribute. */
type JsonType = 'text' | 'integer' | 'object' | 'list'

/** Two values of other JSON types, one of them an object or array where that is possible; attributes of a type take turns. */
const mistyped: Readonly<Record<JsonType, readonly (readonly unknown[])[]>> = {
  text: [
    [7, { text: 'in an object' }],
    [7, ['in an array']],
  ],
  integer: [['many', 1.5, -1]],
  object: [['text', [{ in: 'an array' }]]],
  list: [
    ['text', [7]],
    [{ 0: 'text' }, [null]],
  ],
}

/** The attributes of each write. */
const attributes = {
  createPipeline: { name: 'text', type: 'text' },
  createBlock: {
    name: 'text', type: 'text', color: 'text', content: 'text', language: 'text', uuid: 'text', config: 'object',
    configuration: 'object', upstream_blocks: 'list', pipelines: 'list', priority: 'integer',
  },
  createBackfill: { name: 'text' },
  updateBackfill: {
    name: 'text', status: 'text', interval_type: 'text', start_datetime: 'text', end_datetime: 'text', variables: 'object',
    interval_units: 'integer',
  },
} as const satisfies Readonly<Record<string, Readonly<Record<string, JsonType>>>> // biome-ignore format: a list of attributes

/** A write with attributes of other JSON types. */
export type MistypedWrite = keyof typeof attributes

/** Each attribute with values of other types, and the optional ones of a block with null. */
export function mistypedRecords(to: MistypedWrite): Readonly<Record<string, unknown>>[] {
  const counts: Partial<Record<JsonType, number>> = {}
  const changes = Object.entries<JsonType>(attributes[to]).flatMap(([name, type]) => {
    const count = counts[type] ?? 0
    counts[type] = count + 1
    const values = mistyped[type]
    return (values[count % values.length] ?? []).map((value) => ({ [name]: value }))
  })
  if (to !== 'createBlock') return changes
  const { name, type, ...optional } = attributes.createBlock
  return [...changes, Object.fromEntries(Object.keys(optional).map((each) => [each, null]))]
}
