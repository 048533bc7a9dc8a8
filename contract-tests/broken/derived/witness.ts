import { createUnderstudy } from '../../../src/index.ts'
import type { Fetchable } from '../../judge/transports/transport.ts'
import { targetFixture } from '../../targets/fixture.ts'
import { isJson, type Json, type Start, serveWrong } from './wrong-server.ts'

/** A request of the story: what a client of the document may send. */
interface Asked {
  readonly method: string
  readonly path: string
  readonly body?: unknown
  readonly headers?: Readonly<Record<string, string>>
}

const base = 'http://witness.invalid'
const key = { 'X-API-KEY': 'contract-key', 'OAUTH-TOKEN': 'judge-active-token' }

/** A good server that answers the same requests alike every time. */
const goodServer = () => createUnderstudy({ fixture: targetFixture, auth: 'login', journal: false })

async function send(server: Fetchable, { method, path, body, headers = key }: Asked): Promise<string> {
  const text = body === undefined ? null : JSON.stringify(body)
  const type = text === null ? {} : { 'Content-Type': 'application/json' }
  const reply = await server.fetch(
    new Request(`${base}${path}`, { method, headers: { ...headers, ...type }, body: text }),
  )
  return `${reply.status} ${await reply.text()}`
}

/** Sends what a story asks, several at once where it says so, and keeps it. */
class Recorder {
  readonly server: Fetchable
  readonly requests: (readonly Asked[])[] = []
  readonly replies: (readonly string[])[] = []

  constructor(server: Fetchable) {
    this.server = server
  }

  async ask(
    method: string,
    path: string,
    body?: unknown,
    headers?: Readonly<Record<string, string>>,
  ): Promise<Json> {
    const [reply = ''] = await this.atOnce([{ method, path, body, ...(headers && { headers }) }])
    const parsed: unknown = JSON.parse(reply.slice(reply.indexOf(' ') + 1))
    return isJson(parsed) ? parsed : {}
  }

  async atOnce(asked: readonly Asked[]): Promise<readonly string[]> {
    const replies = await Promise.all(asked.map((request) => send(this.server, request)))
    this.requests.push(asked)
    this.replies.push(replies)
    return replies
  }
}

const names = ['Plain Name', 'two-hyphens-here', 'Ünïcode 数据 <b>&</b>', 'a'.repeat(90), 'x  two  blanks']
const blockTypes = ['callback', 'chart', 'conditional', 'custom', 'data_exporter', 'data_loader', 'dbt', 'extension', 'global_data_product', 'markdown', 'scratchpad', 'sensor', 'transformer'] // biome-ignore format: a list
const languages = ['python', 'sql', 'r', 'yaml', 'markdown']
const objects = [
  { a: null, b: 0, c: '', d: { e: [1], F: 'ü' }, g: 1.5, h: true },
  {},
  { 'x.y': 1, only: [1], pipeline_run: { variables: { v: 1 } } },
]

/** A walk through everything a client of the document can see. */
async function story(to: Recorder): Promise<void> {
  const uuids = await pipelines(to)
  await blocks(to, uuids)
  await backfills(to, uuids)
  await schedules(to)
  await credentials(to)
}

async function pipelines(to: Recorder): Promise<string[]> {
  const uuids: string[] = []
  await to.ask('GET', '/api/pipelines')
  for (const type of ['python', 'streaming', 'pyspark', 'integration']) {
    for (const name of names) {
      const { pipeline } = await to.ask('POST', '/api/pipelines', {
        pipeline: { name: `${name} ${type}`, type },
      })
      if (isJson(pipeline)) uuids.push(String(pipeline.uuid))
      for (let times = 0; times < 2; times++)
        await to.ask('GET', `/api/pipelines/${encodeURIComponent(uuids.at(-1) ?? '')}`)
      await to.ask('GET', '/api/pipelines')
    }
  }
  for (const pipeline of [
    { type: 'python' },
    { name: 'untyped' },
    { name: 'capital', type: 'Python' },
    { name: 'edged', type: ' python ' },
    { name: 'unlisted', type: 'perl' },
  ]) {
    await to.ask('POST', '/api/pipelines', { pipeline })
    await to.ask('POST', '/api/pipelines', { pipeline: { ...pipeline, name: 'again' } })
    await to.ask('GET', '/api/pipelines')
  }
  await to.ask(
    'POST',
    '/api/pipelines?api_key=contract-key',
    { pipeline: { name: 'by-query-and-so-on', type: 'python' } },
    { 'OAUTH-TOKEN': 'judge-active-token' },
  )
  await to.ask(
    'POST',
    '/api/pipelines',
    { pipeline: { name: 'by body', type: 'python' }, api_key: 'contract-key' },
    { 'OAUTH-TOKEN': 'judge-active-token' },
  )
  await to.atOnce(
    ['one', 'two', 'three'].map((name) => ({
      method: 'POST',
      path: '/api/pipelines',
      body: { pipeline: { name: `at-once-${name}`, type: 'python' } },
    })),
  )
  for (const path of [
    '/api/pipelines/no_such',
    `/api/pipelines/${uuids[0]}`,
    '/api/pipelines/standing',
    '/api/pipelines/two_hyphens_here_python',
    '/api/pipelines/at_once_one',
    '/api/pipelines/at_once_three',
  ]) {
    for (const query of ['', '?include_schedules=1', '?include_schedules=0', '?api_key=contract-key'])
      await to.ask('GET', `${path}${query}`)
  }
  for (const query of [
    '',
    '?include_schedules=1',
    '?include_schedules=0',
    '?_limit=2&_offset=1',
    '?api_key=contract-key',
  ]) {
    for (let times = 0; times < 2; times++) await to.ask('GET', `/api/pipelines${query}`)
  }
  return uuids
}

async function blocks(to: Recorder, uuids: readonly string[]): Promise<void> {
  const [home = '', other = '', strange = '', third = ''] = uuids
  const at = `/api/pipelines/${home}/blocks`
  const made: string[] = []
  for (const [index, type] of blockTypes.entries()) {
    const block = {
      name: `${names[index % names.length]} b ${index} c`,
      type,
      language: languages[index % languages.length],
      content: [' padded  text \n', 'Ünï <x> & "y"', '', `${'long '.repeat(30)}`][index % 4],
      configuration: index % 3 === 0 ? {} : { data_provider: 'Pöstgres', use_raw_sql: '' },
      config: objects[index % 3],
      color: index % 2 === 0 ? 'teal' : undefined,
      priority: index % 5 === 4 ? undefined : index % 3,
      upstream_blocks: index % 4 === 0 ? undefined : made.slice(-(index % 4)),
      pipelines: index % 6 === 2 ? [other, third] : undefined,
    }
    await to.ask('POST', at, { block })
    const { pipeline } = await to.ask('GET', `/api/pipelines/${home}`)
    const known = isJson(pipeline)
      ? [pipeline.blocks, pipeline.callbacks, pipeline.conditionals, pipeline.widgets].flat()
      : []
    const found = known.filter(isJson).find(({ name }) => name === block.name)
    made.push(String(found?.uuid))
    for (const query of ['', '', '?api_key=contract-key'])
      await to.ask('GET', `${at}/${encodeURIComponent(made.at(-1) ?? '')}${query}`)
    await to.ask('GET', `/api/pipelines/${other}`)
    await to.ask('GET', `/api/pipelines/${third}`)
  }
  for (const type of ['transformer', 'dbt']) {
    await to.ask('POST', at, { block: { name: `sparse ${type}`, type } })
    await to.ask('POST', at, { block: { name: `first ${type}`, type, priority: 0, language: 'SQL' } })
    await to.ask('POST', at, { block: { name: `first ${type}`, type, priority: 0, language: 'sql' } })
    await to.ask('POST', at, { block: { name: `alone ${type}`, type: type.toUpperCase() } })
    await to.ask('POST', at, { block: { name: `edged ${type}`, type: ` ${type}`, language: ' sql ' } })
  }
  await to.ask('POST', at, { block: { type: 'custom' } })
  await to.ask('POST', at, { block: { name: 'typeless' } })
  await to.ask('POST', at, { block: { name: 'one more untyped' } })
  await to.ask('POST', at, { block: { type: 'custom' } })
  await to.ask('POST', `/api/pipelines/${encodeURIComponent(strange)}/blocks`, {
    block: { name: 'Straße Ü', type: 'custom', content: 'ü' },
  })
  await to.ask(
    'GET',
    `/api/pipelines/${encodeURIComponent(strange)}/blocks/${encodeURIComponent('straße_ü')}`,
  )
  await to.atOnce(
    ['p', 'q'].map((name) => ({
      method: 'POST',
      path: `${at}?api_key=contract-key`,
      body: { block: { name: `${name} together now`, type: 'custom', content: 'c', language: 'r' } },
    })),
  )
  for (const uuid of ['p_together_now', 'q_together_now', 'sparse_dbt']) await to.ask('GET', `${at}/${uuid}`)
  await to.atOnce([
    { method: 'GET', path: `${at}/sparse_dbt` },
    { method: 'GET', path: `${at}/p_together_now` },
    { method: 'GET', path: `/api/pipelines/${home}` },
  ])
  await to.ask('GET', `/api/pipelines/${other}/blocks/sparse_dbt`)
  for (const query of ['', '?force=False', '?block_type=custom']) {
    for (const uuid of made.slice(0, 6)) {
      await to.ask('DELETE', `${at}/${encodeURIComponent(uuid)}${query}`)
      await to.ask('GET', `${at}/${encodeURIComponent(uuid)}`)
    }
    await to.ask('GET', `/api/pipelines/${home}`)
  }
  for (const uuid of made) {
    await to.ask('DELETE', `${at}/${encodeURIComponent(uuid)}?force=True`)
    await to.ask('DELETE', `${at}/${encodeURIComponent(uuid)}`)
    for (let times = 0; times < 2; times++) await to.ask('GET', `${at}/${encodeURIComponent(uuid)}`)
    for (const pipeline of [home, other, third]) await to.ask('GET', `/api/pipelines/${pipeline}`)
  }
  await to.ask('DELETE', `/api/pipelines/${other}/blocks/sparse_dbt`)
  await to.ask(
    'DELETE',
    `/api/pipelines/${encodeURIComponent(strange)}/blocks/${encodeURIComponent('straße_ü')}`,
  )
  await to.atOnce([
    { method: 'DELETE', path: `${at}/p_together_now?api_key=contract-key` },
    { method: 'DELETE', path: `${at}/q_together_now` },
    { method: 'DELETE', path: `${at}/no_such` },
  ])
  await to.ask('GET', `/api/pipelines/${home}`)
}

const updates = [
  { start_datetime: '2024-02-29 13:14:15' },
  { end_datetime: '2024-03-29 01:02:59' },
  { interval_units: 0 }, { interval_units: 3 }, { variables: { a: 1, k: { n: 1 } } }, { variables: {} }, { name: 'Näme  with & <all>' },
  ...['second', 'minute', 'hour', 'day', 'week', 'month', 'year', 'custom'].map((interval_type) => ({ interval_type })),
  { interval_type: 'Day' }, { interval_type: ' day ' },
  ...['initial', 'running', 'completed', 'failed', 'cancelled'].map((status) => ({ status })),
  { status: 'Failed' }, { status: 'paused' }, { status: ' failed' },
  ...objects.map((variables) => ({ variables, name: `n${'o'.repeat(80)}`, start_datetime: '2024-01-31 23:59:58', interval_type: 'week', interval_units: 2 })),
  { status: 'cancelled', name: 'both', variables: { z: 9 }, end_datetime: '2024-02-29 00:00:01', start_datetime: '2024-02-28 00:00:09', interval_type: 'hour', interval_units: 7 },
] // biome-ignore format: a table

async function backfills(to: Recorder, uuids: readonly string[]): Promise<void> {
  const homes = [uuids[1] ?? '', uuids[2] ?? '', uuids[6] ?? '']
  const look = async () => {
    for (const query of [
      '',
      `?pipeline_uuid=${homes[0]}`,
      `?pipeline_uuid=${homes[0]}&include_run_count=true`,
      '?include_run_count=true',
      '?_limit=2',
      '?_limit=2&_offset=1&api_key=contract-key',
    ])
      await to.ask('GET', `/api/backfills${query}`)
  }
  for (const query of ['', `?pipeline_uuid=${homes[0]}`, '?include_run_count=true'])
    await to.ask('GET', `/api/backfills${query}`)
  const ids: [string, string][] = []
  for (const [index, name] of [...names, 'six', 'seven'].entries()) {
    const home = encodeURIComponent(homes[index % homes.length] ?? '')
    const sent = { backfill: { name: `${name} ${index}` } }
    const { backfill } = await to.ask(
      index === 4 ? 'PUT' : 'POST',
      `/api/pipelines/${home}/backfills${index === 5 ? '?api_key=contract-key' : ''}`,
      sent,
    )
    ids.push([home, String(isJson(backfill) ? backfill.id : '')])
    await look()
  }
  await to.ask('POST', '/api/pipelines/no_such/backfills', { backfill: { name: 'lost' } })
  await to.atOnce(
    ['x', 'y'].map((name) => ({
      method: 'POST',
      path: `/api/pipelines/${homes[0]}/backfills`,
      body: { backfill: { name } },
    })),
  )
  for (const [round, [home, id]] of ids.entries()) {
    for (const update of round === 0 ? updates : updates.slice(round, round + 9)) {
      await to.ask(
        'PUT',
        `/api/pipelines/${home}/backfills/${id}${round === 2 ? '?api_key=contract-key' : ''}`,
        { backfill: update },
      )
      await to.ask('GET', `/api/backfills?pipeline_uuid=${home}`)
      if (round === 0) await look()
    }
    await look()
  }
  const [[home, id] = ['', ''], [, second] = ['', '']] = ids
  await to.atOnce(
    [
      { name: 'lost-update' },
      { interval_units: 77 },
      { variables: { q: 1 } },
      { start_datetime: '2025-01-01 00:00:00' },
      { end_datetime: '2025-01-02 00:00:00', status: 'failed', interval_type: 'month' },
    ].map((backfill) => ({
      method: 'PUT',
      path: `/api/pipelines/${home}/backfills/${id}`,
      body: { backfill },
    })),
  )
  for (const near of ['999999', `${id}x`, 'none'])
    await to.ask('PUT', `/api/pipelines/${home}/backfills/${near}`, { backfill: { name: 'nobody' } })
  await look()
  const near = [
    homes[0],
    homes[0]?.slice(0, 5),
    homes[0]?.slice(2),
    homes[0]?.toUpperCase(),
    '%',
    homes[0]?.replace('p', '_'),
    'no_such',
    uuids[0],
  ]
  for (const uuid of near)
    for (const query of [
      '',
      '&_limit=2',
      '&_limit=2&_offset=1',
      '&_offset=1',
      '&include_run_count=true',
      '&api_key=contract-key',
    ])
      await to.ask('GET', `/api/backfills?pipeline_uuid=${encodeURIComponent(uuid ?? '')}${query}`)
  for (const limit of ['', '_limit=0', '_limit=1', '_limit=3', '_limit=9', '_limit=100']) {
    for (const offset of ['', '_offset=0', '_offset=1', '_offset=3', '_offset=8', '_offset=100'])
      await to.ask('GET', `/api/backfills?${limit}&${offset}&include_run_count=${limit === '_limit=3'}`)
  }
  await to.atOnce(
    [1, 2, 3].map((offset) => ({
      method: 'GET',
      path: `/api/backfills?_limit=2&_offset=${offset}&pipeline_uuid=${homes[0]}&include_run_count=true`,
    })),
  )
  await to.atOnce([1, 2, 3].map(() => ({ method: 'GET', path: '/api/backfills' })))
  await to.ask('DELETE', `/api/backfills/${second}x`)
  await to.atOnce([
    { method: 'DELETE', path: `/api/backfills/${id}` },
    { method: 'DELETE', path: `/api/backfills/${second}?api_key=contract-key` },
  ])
  await look()
  for (const [, gone] of ids) {
    await to.ask('DELETE', `/api/backfills/${gone}`)
    await to.ask('DELETE', `/api/backfills/${gone}?api_key=contract-key`)
    await look()
  }
  await to.atOnce([1, 2].map(() => ({ method: 'DELETE', path: '/api/backfills/31337' })))
}

async function schedules(to: Recorder): Promise<void> {
  const at = '/api/pipelines/standing/pipeline_schedules'
  // Triggers read otherwise are lists like any other, and tags of every kind are there to be told apart.
  for (const tags of [['Red'], ['reddish'], ['a', 'b', 'c'], ['r_d', 'n%e'], ['green', 'red']])
    await to.ask('POST', at, { pipeline_schedule: { name: tags.join(), tags } })
  await to.ask('POST', '/api/pipelines/plain_name_python/pipeline_schedules', {
    pipeline_schedule: { name: 'Fremd Ü', tags: ['red'] },
  })
  for (const query of [
    '',
    'tag[]=red',
    'tag[]=re',
    'tag[]=ed',
    'tag[]=RED',
    'tag[]=r_d',
    'tag[]=%25',
    'tag[]=none',
    'tag[]=red&tag[]=blue',
    'tag[]=blue&tag[]=red',
    'tag[]=a&tag[]=b',
    'tag[]=none&tag[]=zero&tag[]=red',
    'tag[]=green&tag[]=none',
    'tag[]=red&_limit=1',
    'tag[]=red&_offset=1',
  ]) {
    for (let times = 0; times < 2; times++) await to.ask('GET', `${at}?${query}`)
    await to.ask('GET', `/api/pipelines/plain_name_python/pipeline_schedules?${query}&api_key=contract-key`)
  }
  await to.atOnce([
    { method: 'GET', path: at },
    { method: 'GET', path: `${at}?tag[]=red&tag[]=blue` },
    { method: 'GET', path: '/api/pipelines/plain_name_python/pipeline_schedules?tag[]=none' },
  ])
  const { pipeline_schedules: listed } = await to.ask('GET', at)
  const own = Array.isArray(listed) ? listed.filter(isJson) : []
  for (const [index, { id, token: text }] of own.entries()) {
    const token = String(text)
    for (const body of objects)
      for (let times = 0; times < 2; times++)
        await to.ask('POST', `/api/pipeline_schedules/${id}/pipeline_runs/${token}`, body, {})
    for (const near of [
      token.slice(0, 8),
      `${token}0`,
      token.toUpperCase(),
      ` ${token} `,
      String(own[index - 1]?.token),
      'wrong',
    ])
      await to.ask(
        'POST',
        `/api/pipeline_schedules/${id}/pipeline_runs/${encodeURIComponent(near)}`,
        { a: 1 },
        {},
      )
    await to.ask('POST', `/api/pipeline_schedules/${id}x/pipeline_runs/${token}`, { a: 1 })
    await to.ask('POST', `/api/pipeline_schedules/${id}/pipeline_runs/${token}?api_key=contract-key`, {
      ü: 'ü',
    })
    await to.ask('POST', `/api/pipeline_schedules/999/pipeline_runs/${token}`, {})
    await to.atOnce(
      [1, 2].map((n) => ({
        method: 'POST',
        path: `/api/pipeline_schedules/${id}/pipeline_runs/${token}`,
        body: { n },
      })),
    )
    await to.ask('GET', '/api/pipelines?include_schedules=1')
    await to.ask('GET', '/api/pipelines/standing?include_schedules=1')
  }
  await to.ask('GET', `${at}?tag[]=red`)
  const now = Date.parse('2026-01-01T00:00:00Z') / 1_000
  for (const pipeline of ['standing', 'plain_name_python', 'no_such']) {
    for (const query of [
      '',
      '_limit=0',
      '_limit=1',
      '_limit=1&_offset=1',
      '_offset=1',
      '_offset=5',
      `start_timestamp=${now - 3_600}`,
      `start_timestamp=${now - 1_800}`,
      `start_timestamp=${now - 90_000}&_limit=1&api_key=contract-key`,
    ]) {
      for (let times = 0; times < 2; times++) await to.ask('GET', `/api/pipelines/${pipeline}/logs?${query}`)
    }
  }
  await to.atOnce(
    ['_limit=1', '_offset=1&_limit=1', `start_timestamp=${now}`].map((query) => ({
      method: 'GET',
      path: `/api/pipelines/standing/logs?${query}`,
    })),
  )
}

async function credentials(to: Recorder): Promise<void> {
  const email = 'judge@example.com'
  const keyOnly = { 'X-API-KEY': 'contract-key' }
  for (const password of [
    'gavel-and-robe',
    'gavel-and',
    'GAVEL-and-robe',
    'gavel-and-robes',
    '',
    'wrong',
    'gavel-and-robe',
  ]) {
    for (let times = 0; times < 2; times++)
      await to.ask('POST', '/api/sessions', { session: { email, password } }, keyOnly)
    await to.ask('POST', '/api/sessions', { session: { email: 'nobody@example.com', password } }, keyOnly)
  }
  await to.ask(
    'POST',
    '/api/sessions',
    { session: { email, password: 'gavel-and-robe' }, api_key: 'contract-key' },
    {},
  )
  await to.ask(
    'POST',
    '/api/sessions?api_key=contract-key',
    { session: { email, password: 'gavel-and-robe' } },
    {},
  )
  await to.atOnce(
    ['gavel-and-robe', 'wrong'].map((password) => ({
      method: 'POST',
      path: '/api/sessions',
      headers: keyOnly,
      body: { session: { email, password } },
    })),
  )
  const { session } = await to.ask(
    'POST',
    '/api/sessions',
    { session: { email, password: 'gavel-and-robe' } },
    keyOnly,
  )
  const raw = String(isJson(session) ? session.token : '')
  for (const query of [
    '',
    '?show_all=1',
    '?show_all=0',
    '?_limit=1',
    '?_limit=0',
    '?_limit=2&_offset=1',
    '?_offset=1',
    '?_offset=99',
    '?_limit=1&show_all=1',
    '?_limit=2&_offset=2&show_all=1',
    '?_limit=3&_offset=4&show_all=1',
    '?_limit=50&_offset=3',
    '?api_key=contract-key',
  ]) {
    for (let times = 0; times < 2; times++) await to.ask('GET', `/api/oauth_access_tokens${query}`)
  }
  await to.ask('GET', '/api/oauth_access_tokens', undefined, { ...keyOnly, Cookie: `oauth_token=${raw}` })
  await to.atOnce(
    ['', '?show_all=1', '?_limit=1&_offset=1', '?_limit=1'].map((query) => ({
      method: 'GET',
      path: `/api/oauth_access_tokens${query}`,
    })),
  )
  const near = (good: string) => [good.slice(0, -1), `${good}x`, good.toUpperCase(), '', `not-${good}`]
  const given: Record<string, string>[] = [
    {}, { 'OAUTH-TOKEN': key['OAUTH-TOKEN'] }, keyOnly, ...near('contract-key').map((text) => ({ ...key, 'X-API-KEY': text })),
    ...near('judge-active-token').map((text) => ({ ...key, 'OAUTH-TOKEN': text })), { ...keyOnly, Cookie: `oauth_token=${raw}` }, { ...keyOnly, Cookie: `theme=dark; oauth_token=${raw}` },
    { Cookie: `oauth_token=${raw}` }, { Cookie: `oauth_token=${raw}`, 'X-API-KEY': 'wrong' }, { ...keyOnly, Cookie: 'oauth_token=not-one' },
  ] // biome-ignore format: a table
  const calls: readonly Asked[] = [
    { method: 'GET', path: '/api/pipelines' },
    { method: 'GET', path: '/api/pipelines/standing' },
    { method: 'POST', path: '/api/pipelines', body: { pipeline: { name: 'guest', type: 'python' } } },
    {
      method: 'POST',
      path: '/api/pipelines/standing/blocks',
      body: { block: { name: 'guest block', type: 'custom' } },
    },
    { method: 'GET', path: '/api/pipelines/standing/blocks/load' },
    { method: 'DELETE', path: '/api/pipelines/standing/blocks/guest_block' },
    { method: 'DELETE', path: '/api/pipelines/standing/blocks/guest_block?force=True' },
    { method: 'GET', path: '/api/backfills' },
    { method: 'GET', path: '/api/backfills?_limit=1&_offset=1&pipeline_uuid=standing' },
    { method: 'POST', path: '/api/pipelines/standing/backfills', body: { backfill: { name: 'guest' } } },
    { method: 'PUT', path: '/api/pipelines/standing/backfills', body: { backfill: { name: 'guest' } } },
    { method: 'PUT', path: '/api/pipelines/standing/backfills/11', body: { backfill: { name: 'guest' } } },
    { method: 'DELETE', path: '/api/backfills/11' },
    { method: 'GET', path: '/api/pipelines/standing/pipeline_schedules' },
    { method: 'GET', path: '/api/pipelines/standing/pipeline_schedules?tag[]=red&_offset=1' },
    { method: 'GET', path: '/api/pipelines/standing/logs' },
    { method: 'GET', path: '/api/pipelines/standing/logs?_offset=1' },
    { method: 'GET', path: '/api/oauth_access_tokens' },
    { method: 'GET', path: '/api/oauth_access_tokens?_offset=1' },
    { method: 'POST', path: '/api/sessions', body: { session: { email, password: 'gavel-and-robe' } } },
  ]
  for (const headers of given) {
    for (const call of calls) {
      await to.ask(call.method, call.path, call.body, headers)
      const mark = call.path.includes('?') ? '&' : '?'
      if (headers['X-API-KEY'] === undefined) {
        for (const text of ['contract-key', 'contract-ke', 'CONTRACT-KEY', 'contract-key2', ''])
          await to.ask(call.method, `${call.path}${mark}api_key=${text}`, call.body, headers)
        if (isJson(call.body))
          await to.ask(call.method, call.path, { ...call.body, api_key: 'contract-key' }, headers)
      }
    }
  }
}

let told: Promise<Recorder> | undefined

function tell(): Promise<Recorder> {
  const recorder = new Recorder(goodServer())
  return story(recorder).then(() => recorder)
}

/** How many requests the story has. */
export async function storyLength(): Promise<number> {
  told ??= tell()
  return (await told).requests.flat().length
}

/**
 * Finds the first request whose reply tells a wrong server from the good one; undefined where no reply of the story does.
 * A server that nothing tells from a good one is none that a judge could catch.
 */
export async function firstDifference(start: Start): Promise<string | undefined> {
  told ??= tell()
  const { requests, replies } = await told
  const server = serveWrong(goodServer(), start)
  for (const [index, asked] of requests.entries()) {
    const got = await Promise.all(asked.map((request) => send(server, request)))
    const at = got.findIndex((reply, place) => reply !== replies[index]?.[place])
    if (at !== -1) return `${asked[at]?.method} ${asked[at]?.path}`
  }
  return undefined
}
