// A server of the pipeline orchestration API, written from the specification alone. It computes every state from a log of
// events. It prints its port, and serves until its standard input ends. Comments that begin with "Choice:" name what it
// decides where the specification is silent.
import { createHmac, randomBytes, randomInt } from 'node:crypto'
import { createServer } from 'node:http'

const auth = process.argv[process.argv.indexOf('--auth') + 1] ?? 'login'
const key = 'event-key'
const passwords = { 'grace@example.com': 'hopper', 'barbara@example.com': 'liskov' }
const users = Object.keys(passwords)

// Choice: the clock is five years ahead, and runs sixty times as fast.
const started = Date.now()
const now = () => started + 5 * 365 * 86_400_000 + (Date.now() - started) * 60
const short = (time) => new Date(time).toISOString().slice(0, 19).replace('T', ' ')
const long = (time) => `${short(time)}.${String(Math.floor(time % 1000)).padStart(3, '0')}000+00:00`

const pipelineTypes = ['integration', 'pyspark', 'python', 'streaming']
const blockTypes =
  'callback chart conditional custom data_exporter data_loader dbt extension global_data_product markdown scratchpad sensor transformer'.split(
    ' ',
  )
const languages = ['python', 'sql', 'r', 'yaml', 'markdown']
const intervals = ['second', 'minute', 'hour', 'day', 'week', 'month', 'year', 'custom']
const statuses = ['initial', 'running', 'completed', 'failed', 'cancelled']

/** The events, the source of every reply. */
const events = []
const append = (kind, data) => events.push({ kind, at: now(), ...data })

class Refusal extends Error {
  constructor(code, type, message) {
    super(message)
    this.error = { type, code, message }
  }
}
const missing = (what) => new Refusal(404, 'missing', `${what} does not exist.`)
const invalid = (message) => new Refusal(422, 'validation_error', message)

const oneOf = (allowed, value, name) => {
  if (!allowed.includes(value)) throw invalid(`${name} is not one of ${allowed.join(', ')}.`)
  return value
}
const nameOf = ({ name }) => {
  if (typeof name !== 'string' || name.trim() === '') throw invalid('name is missing.')
  return name
}
/** Choice: refuses unknown attributes. */
const known = (record, names) => {
  const unknown = Object.keys(record).find((name) => !names.includes(name))
  if (unknown !== undefined) throw invalid(`${unknown} is no attribute.`)
}
const recordIn = (body, singular) => {
  const record = body?.[singular]
  if (typeof record !== 'object' || record === null || Array.isArray(record))
    throw invalid(`The body has no object ${singular}.`)
  return record
}

// Folding

const pipelines = () => events.filter(({ kind }) => kind === 'pipeline created')
const pipelineOf = (uuid) => {
  const found = pipelines().find((each) => each.uuid === uuid)
  if (found === undefined) throw missing(`Pipeline ${uuid}`)
  return found
}
const blocksOf = (pipeline) => {
  let blocks = []
  for (const event of events) {
    if (event.kind === 'block created' && event.homes.includes(pipeline)) {
      const place = Math.min(event.priority ?? blocks.length, blocks.length)
      blocks.splice(place, 0, { ...event, upstream: event.homes[0] === pipeline ? event.upstream : [] })
    }
    if (event.kind === 'block deleted' && event.pipeline === pipeline) {
      const gone = blocks.find(({ uuid }) => uuid === event.uuid)
      // Choice: after a forced deletion, the blocks below depend on those above.
      blocks = blocks
        .filter((block) => block !== gone)
        .map((block) => ({
          ...block,
          upstream: [
            ...new Set(
              block.upstream.flatMap((uuid) => (uuid === gone?.uuid ? (gone?.upstream ?? []) : [uuid])),
            ),
          ],
        }))
    }
  }
  return blocks
}
const backfills = () => {
  const all = new Map()
  for (const { kind, at, id, values } of events) {
    if (kind === 'backfill created') all.set(id, { id, created: at, updated: at, ...values })
    if (kind === 'backfill updated') all.set(id, { ...all.get(id), ...values, updated: at })
    if (kind === 'backfill deleted') all.delete(id)
  }
  return [...all.values()]
}
const runsOf = (pipeline) => events.filter((event) => event.kind === 'run' && event.pipeline === pipeline)
const schedulesOf = (pipeline) =>
  events.filter((event) => event.kind === 'schedule created' && event.pipeline === pipeline)
const sessions = () => events.filter(({ kind }) => kind === 'session')

// Presenting

// Choice: callbacks and conditionals have lists of their own, and an element shows little.
const besides = { callback: 'callbacks', conditional: 'conditionals' }
function showPipeline(pipeline, query) {
  const { uuid, name, type } = pipeline
  const blocks = blocksOf(uuid)
  const list = (wanted) =>
    blocks
      .filter((block) => (besides[block.type] ?? 'blocks') === wanted)
      .map((block) => ({ uuid: block.uuid, name: block.name }))
  const changes = events.filter(
    (event) => event.homes?.includes(uuid) || (event.kind === 'block deleted' && event.pipeline === uuid),
  )
  return {
    uuid,
    name,
    type,
    description: null,
    data_integration: null,
    executor_config: {},
    executor_count: 1,
    executor_type: null,
    notification_config: {},
    spark_config: {},
    updated_at: changes.length > 0 ? long(changes.at(-1).at) : null,
    blocks: list('blocks'),
    callbacks: list('callbacks'),
    conditionals: list('conditionals'),
    widgets: [],
    ...(query.get('include_schedules') === '1' && { attached: schedulesOf(uuid).map(showSchedule) }),
  }
}
function showBlock(pipeline, block) {
  const { uuid, name, type, language, color, configuration, upstream } = block
  return {
    uuid,
    name,
    type,
    language,
    // Choice: every type has its color.
    color: color ?? '#3366ff',
    configuration,
    upstream_blocks: upstream,
    downstream_blocks: blocksOf(pipeline)
      .filter((other) => other.upstream.includes(uuid))
      .map((other) => other.uuid),
    all_upstream_blocks_executed: false,
    executor_config: null,
    executor_type: 'kubernetes',
    has_callback: false,
    retry_config: null,
    status: 'idle',
  }
}
function showBackfill(backfill, form) {
  const { id, name, pipeline, created, updated } = backfill
  const date = (text) => (text && form === long ? `${text}.000000+00:00` : (text ?? null))
  const status = backfill.status ?? null
  const reached = (state) => (status === state ? form(updated) : null)
  return {
    id,
    name,
    pipeline_uuid: pipeline,
    pipeline_schedule_id: null,
    block_uuid: null,
    start_datetime: date(backfill.start_datetime),
    end_datetime: date(backfill.end_datetime),
    interval_type: backfill.interval_type ?? null,
    interval_units: backfill.interval_units ?? null,
    status,
    variables: backfill.variables ?? null,
    metrics: {},
    created_at: form(created),
    updated_at: form(updated),
    started_at: reached('running'),
    completed_at: reached('completed'),
    failed_at: reached('failed'),
  }
}
// Choice: timestamps of schedules and runs are short.
function showSchedule({ id, at, pipeline, name, token, tags }) {
  const runs = runsOf(pipeline).filter((run) => run.schedule === id)
  return {
    id,
    name,
    pipeline_uuid: pipeline,
    schedule_type: 'event',
    start_time: short(at),
    schedule_interval: '@daily',
    status: 'paused',
    variables: {},
    sla: 60,
    tags,
    token,
    settings: { skip_if_previous_running: false },
    event_matchers: [],
    last_pipeline_run_status: runs.length > 0 ? 'running' : null,
    pipeline_runs_count: runs.length,
    created_at: short(at),
    updated_at: short(at),
  }
}
function showRun({ id, at, schedule, pipeline, variables }) {
  return {
    id,
    pipeline_schedule_id: schedule,
    pipeline_uuid: pipeline,
    execution_date: short(at),
    status: 'running',
    completed_at: null,
    variables: {},
    event_variables: variables,
    passed_sla: false,
    metrics: null,
    backfill_id: null,
    created_at: short(at),
    updated_at: short(at),
  }
}
/** Choice: an item of the list of logs is one file, and their timestamps are counted in seconds. */
function showLogs(pipeline, query) {
  const since = Number(query.get('start_timestamp') ?? 0) * 1000
  return runsOf(pipeline)
    .filter(({ at }) => at >= since)
    .flatMap(({ id, blocks }) => [
      { path: `runs/${id}/pipeline.log`, isRun: true },
      ...blocks.map((uuid) => ({ path: `runs/${id}/${uuid}.log`, isRun: false })),
    ])
    .map(({ path, isRun }) => {
      const file = { name: path.split('/').at(-1), path, content: 'queued' }
      return {
        block_run_logs: isRun ? [] : [file],
        pipeline_run_logs: isRun ? [file] : [],
        total_block_run_log_count: isRun ? 0 : 1,
        total_pipeline_run_log_count: isRun ? 1 : 0,
      }
    })
}

/** Choice: pages are of ten where the client asks for no size, and a page of none is refused. */
function page(query, all) {
  const [limit, offset] = [Number(query.get('_limit') ?? 10), Number(query.get('_offset') ?? 0)]
  if (!Number.isSafeInteger(limit) || limit < 1 || !Number.isSafeInteger(offset) || offset < 0)
    throw invalid('_limit and _offset are whole numbers.')
  const items = all.slice(offset, offset + Math.min(limit, 1000))
  // Choice: `count` is that of the page.
  return { items, metadata: { count: items.length, next: offset + items.length < all.length } }
}

// Credentials. Choice: a raw token is a random text, and the decoded one cannot be found in it.

const decode = (raw) => createHmac('sha256', 'of this server').update(raw).digest('hex')
const sessionOf = (headers) => {
  const raw = /(?:^|; *)oauth_token=([^;]*)/.exec(headers.cookie ?? '')?.[1]
  const token = headers['oauth-token'] ?? (raw === undefined ? undefined : decode(raw))
  return sessions().find((session) => session.token === token)
}
function authorize(headers, query, body) {
  if (auth === 'open') return
  if ((body?.api_key ?? query.get('api_key') ?? headers['x-api-key']) !== key)
    throw new Refusal(403, 'forbidden', 'This needs a valid API key.')
  if (auth === 'login' && sessionOf(headers) === undefined)
    throw new Refusal(403, 'forbidden', 'This needs a session.')
}

// Operations

const blockNames = [
  'name', 'type', 'color', 'config', 'configuration', 'content', 'extension_uuid', 'language', 'pipelines', 'priority',
  'upstream_blocks', 'uuid',
] // biome-ignore format: one list
const backfillNames = [
  'name', 'start_datetime', 'end_datetime', 'interval_type', 'interval_units', 'status', 'variables',
] // biome-ignore format: one list
const datetime = /^\d{4}-\d{2}-\d{2} \d{2}:\d{2}:\d{2}$/

const checks = {
  name: (value) => typeof value === 'string' && value.trim() !== '',
  start_datetime: (value) => value === null || datetime.test(value),
  end_datetime: (value) => value === null || datetime.test(value),
  interval_type: (value) => value === null || intervals.includes(value),
  interval_units: (value) => value === null || (Number.isSafeInteger(value) && value > 0),
  status: (value) => value === null || statuses.includes(value),
  variables: (value) => typeof value === 'object' && !Array.isArray(value),
}

/** Choice: ids are random. */
const newId = () => randomInt(1, 1_000_000_000)
const findBlock = (pipeline, uuid) => {
  pipelineOf(pipeline)
  const block = blocksOf(pipeline).find((each) => each.uuid === uuid)
  if (block === undefined) throw missing(`Block ${uuid}`)
  return block
}
const findBackfill = (id) => {
  const backfill = backfills().find((each) => String(each.id) === id)
  if (backfill === undefined) throw missing(`Backfill ${id}`)
  return backfill
}

const routes = [
  ['POST', '/api/pipelines', (_, { body }) => {
    const record = recordIn(body, 'pipeline')
    known(record, ['name', 'type'])
    const [name, type] = [nameOf(record), oneOf(pipelineTypes, record.type, 'type')]
    // Choice: capitals and letters of all languages stay; uuids that are taken get a number.
    const base = name.replaceAll(/[^\p{L}\p{N}_]/gu, '_')
    const taken = pipelines().map(({ uuid }) => uuid)
    let uuid = base
    for (let number = 2; taken.includes(uuid); number++) uuid = `${base}_${number}`
    append('pipeline created', { uuid, name, type })
    return { pipeline: showPipeline(pipelineOf(uuid), new Map()) }
  }],
  // Choice: the list shows names alone, the newest first.
  ['GET', '/api/pipelines', () => ({
    pipelines: pipelines().toReversed().map(({ uuid, name }) => ({ uuid, name })),
    metadata: {},
  })],
  ['GET', '/api/pipelines/:uuid', ([uuid], { query }) => ({
    pipeline: { ...showPipeline(pipelineOf(uuid), query), extensions: { quality: { tests: [] } } },
  })],
  ['POST', '/api/pipelines/:uuid/blocks', ([pipeline], { body }) => {
    pipelineOf(pipeline)
    const record = recordIn(body, 'block')
    known(record, blockNames)
    const [name, type] = [nameOf(record), oneOf(blockTypes, record.type, 'type')]
    // Choice: dbt blocks are of SQL.
    const language = oneOf(languages, record.language ?? (type === 'dbt' ? 'sql' : 'python'), 'language')
    const homes = [...new Set([pipeline, ...(record.pipelines ?? [])])]
    const uuid = name.toLowerCase().replaceAll(/[^\p{L}\p{N}_]/gu, '_')
    for (const home of homes) {
      pipelineOf(home)
      if (blocksOf(home).some((block) => block.uuid === uuid)) throw invalid(`${home} has a block ${uuid}.`)
    }
    const upstream = record.upstream_blocks ?? []
    for (const above of upstream) findBlock(pipeline, above)
    const { config = null, configuration = {}, content = null, priority = null, color } = record
    append('block created', { uuid, name, type, language, homes, upstream, config, configuration, content, priority, color })
    return { block: { name, type, language, config, configuration, content, priority, upstream_blocks: upstream } }
  }],
  ['GET', '/api/pipelines/:uuid/blocks/:block', ([pipeline, uuid]) => {
    const block = findBlock(pipeline, uuid)
    return { block: { ...showBlock(pipeline, block), content: block.content ?? '', outputs: [{ kind: 'none' }] } }
  }],
  ['DELETE', '/api/pipelines/:uuid/blocks/:block', ([pipeline, uuid], { query }) => {
    const block = showBlock(pipeline, findBlock(pipeline, uuid))
    if (block.downstream_blocks.length > 0 && query.get('force') !== 'True')
      throw new Refusal(400, 'in_use', 'Other blocks depend on it.')
    append('block deleted', { pipeline, uuid })
    return { block }
  }],
  ['GET', '/api/backfills', (_, { query }) => {
    const wanted = query.get('pipeline_uuid')
    const { items, metadata } = page(query, backfills().filter(({ pipeline }) => wanted === null || pipeline === wanted))
    const isCounted = query.get('include_run_count') === 'true'
    return {
      backfills: items.map((each) => ({ ...showBackfill(each, long), ...(isCounted && { total_run_count: 0 }) })),
      metadata,
    }
  }],
  ['POST', '/api/pipelines/:uuid/backfills', ([pipeline], { body }) => {
    pipelineOf(pipeline)
    const record = recordIn(body, 'backfill')
    known(record, ['name'])
    const id = newId()
    append('backfill created', { id, values: { name: nameOf(record), pipeline } })
    return { backfill: showBackfill(findBackfill(String(id)), short) }
  }],
  ['PUT', '/api/pipelines/:uuid/backfills/:id', ([pipeline, id], { body }) => {
    pipelineOf(pipeline)
    const { id: own } = findBackfill(id)
    const values = recordIn(body, 'backfill')
    known(values, backfillNames)
    for (const [name, value] of Object.entries(values))
      if (!checks[name](value)) throw invalid(`${name} is not valid.`)
    append('backfill updated', { id: own, values })
    return { backfill: showBackfill(findBackfill(id), short) }
  }],
  ['DELETE', '/api/backfills/:id', ([id]) => {
    const backfill = findBackfill(id)
    append('backfill deleted', { id: backfill.id })
    return { backfill: showBackfill(backfill, short) }
  }],
  ['GET', '/api/pipelines/:uuid/pipeline_schedules', ([pipeline], { query }) => {
    pipelineOf(pipeline)
    const wanted = query.getAll('tag[]')
    const { items, metadata } = page(
      query,
      schedulesOf(pipeline).filter(({ tags }) => wanted.length === 0 || tags.some((tag) => wanted.includes(tag))),
    )
    return { pipeline_schedules: items.map(showSchedule), metadata }
  }],
  ['POST', '/api/pipeline_schedules/:id/pipeline_runs/:token', ([id, token], { body }) => {
    const schedule = events.find((event) => event.kind === 'schedule created' && String(event.id) === id)
    if (schedule?.token !== token) throw missing('A schedule of that id and token')
    if (typeof body !== 'object' || body === null || Array.isArray(body)) throw invalid('Variables are an object.')
    const { pipeline } = schedule
    const run = { id: newId(), schedule: schedule.id, pipeline, variables: body }
    append('run', { ...run, blocks: blocksOf(pipeline).map(({ uuid }) => uuid) })
    return { pipeline_run: showRun(events.at(-1)) }
  }],
  ['GET', '/api/pipelines/:uuid/logs', ([pipeline], { query }) => {
    pipelineOf(pipeline)
    return { logs: page(query, showLogs(pipeline, query)).items, metadata: {} }
  }],
  ['GET', '/api/oauth_access_tokens', (_, { query, headers }) => {
    const current = sessionOf(headers)
    if (current === undefined) throw new Refusal(403, 'forbidden', 'This needs a session.')
    // Choice: sessions last, and the token is shown in part.
    const own = sessions().filter(({ user }) => user === current.user)
      const { items, metadata } = page(query, own)
    return {
      oauth_access_tokens: items.map(({ token, at }) => ({
        token: `${token.slice(0, 12)}…`,
        user_id: current.user,
        expires: long(at + 30 * 86_400_000),
      })),
      metadata,
    }
  }],
  ['POST', '/api/sessions', (_, { body }) => {
    const { session } = body ?? {}
    if (!users.includes(session?.email) || passwords[session.email] !== session.password)
      throw new Refusal(404, 'record_not_found', 'Login name or password is invalid.')
    const raw = randomBytes(24).toString('base64url')
    append('session', { token: decode(raw), user: users.indexOf(session.email) })
    return { session: { token: raw, user: { id: users.indexOf(session.email) } } }
  }],
] // biome-ignore format: one operation a block

const open = ['/api/sessions', '/api/pipeline_schedules/:id/pipeline_runs/:token']

function answer(method, url, headers, body) {
  const { pathname, searchParams: query } = new URL(url, 'http://host')
  for (const [verb, pattern, operate] of routes) {
    const found = new RegExp(`^${pattern.replaceAll(/:\w+/g, '([^/]+)')}$`).exec(pathname)
    if (verb !== method || found === null) continue
    if (!open.includes(pattern)) authorize(headers, query, body)
    return operate(found.slice(1).map(decodeURIComponent), { query, headers, body })
  }
  authorize(headers, query, body)
  throw new Refusal(404, 'no_route', 'There is nothing at this path.')
}

let requests = 0
function reply(method, url, headers, text) {
  try {
    // Choice: the service is temporarily unavailable now and then, and reports it in the envelope.
    if (++requests % 211 === 0)
      throw new Refusal(503, 'unavailable', 'The service is not available; try again.')
    return answer(
      method === 'HEAD' ? 'GET' : method,
      url,
      headers,
      text === '' ? undefined : JSON.parse(text),
    )
  } catch (error) {
    const known = error instanceof Refusal ? error : invalid(error.message)
    return { error: known.error, status: 200 }
  }
}

// A pipeline with schedules and a run, behind newer ones: nobody can create schedules through this API.
append('pipeline created', { uuid: 'nightly', name: 'nightly', type: 'python' })
for (const uuid of ['extract', 'publish'])
  append('block created', {
    uuid, name: uuid, type: 'custom', language: 'python', homes: ['nightly'], upstream: [], config: null, configuration: {},
    content: null, priority: null,
  }) // biome-ignore format: one block
for (const tags of [['red'], ['blue'], ['red', 'green']])
  append('schedule created', {
    id: newId(),
    pipeline: 'nightly',
    name: tags[0],
    token: randomBytes(9).toString('hex'),
    tags,
  })
append('run', {
  id: newId(),
  schedule: schedulesOf('nightly')[0].id,
  pipeline: 'nightly',
  variables: {},
  blocks: ['extract', 'publish'],
})
for (let number = 1; number <= 40; number++)
  append('pipeline created', { uuid: `newer_${number}`, name: `newer-${number}`, type: 'streaming' })

const server = createServer((request, response) => {
  const parts = []
  request.on('data', (part) => parts.push(part))
  request.on('end', () => {
    const { method, url, headers } = request
    const body = JSON.stringify(reply(method, url, headers, Buffer.concat(parts).toString()))
    response.writeHead(200, { 'content-type': 'application/json' }).end(method === 'HEAD' ? '' : body)
  })
})
server.listen(0, '127.0.0.1', () => console.log(server.address().port))
process.stdin.on('end', () => process.exit()).resume()
