import { isObject } from '../../../contract-tests/runner/is-object.ts'
import type { Recorder } from './recorder.ts'
import { names, objects } from './values.ts'

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

/** Creates, updates, lists and deletes backfills in every way. */
export async function backfills(to: Recorder, uuids: readonly string[]): Promise<void> {
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
    ids.push([home, String(isObject(backfill) ? backfill.id : '')])
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
