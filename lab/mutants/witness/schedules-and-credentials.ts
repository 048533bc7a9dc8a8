import { isObject } from '../../../contract-tests/runner/is-object.ts'
import { key, type Recorder, type WitnessRequest } from './recorder.ts'
import { objects } from './values.ts'

/** Asks in every way that is documented, and in some near it. */
export async function schedules(to: Recorder): Promise<void> {
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
  const own = Array.isArray(listed) ? listed.filter(isObject) : []
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

/** Asks in every way that is documented, and in some near it. */
export async function credentials(to: Recorder): Promise<void> {
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
  const raw = String(isObject(session) ? session.token : '')
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
  const calls: readonly WitnessRequest[] = [
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
        if (isObject(call.body))
          await to.ask(call.method, call.path, { ...call.body, api_key: 'contract-key' }, headers)
      }
    }
  }
}
