import { expect, it } from 'vitest'
import { createApp } from '../../src/server/create-app.ts'
import { firstOf } from '../../tests/support/depth.ts'
import { Client } from '../runner/client.ts'
import { Secrets } from '../runner/redact.ts'
import { recordIn } from '../runner/replies.ts'
import { writeReproduction } from '../runner/reproduction.ts'
import type { RequestVariant } from '../runner/request-variants.ts'
import { overHttp } from '../runner/transports/over-http.ts'
import { createTarget, expressTarget } from '../targets/built-in.ts'
import { listen } from './listen.ts'
import { paste } from './paste.ts'

const prefix = 'judgedforms'
const home = `${prefix}s1_home`
const backfill = {
  name: 'nights',
  start_datetime: '2023-01-01 00:00:00',
  end_datetime: '2023-01-03 00:00:00',
  interval_type: 'day',
  interval_units: 1,
}

/** Fills a good server, every request in one variant, and gives the ids of what was made. */
async function fill(client: Client, variant: RequestVariant) {
  const send = (method: string, path: string, body: unknown) => client.send(method, path, { variant, body })
  await send('POST', '/api/pipelines', { pipeline: { name: `${prefix}s1-home`, type: 'python' } })
  await send('POST', `/api/pipelines/${home}/blocks`, { block: { name: 'load', type: 'data_loader' } })
  const schedule = recordIn(
    await send('POST', `/api/pipelines/${home}/pipeline_schedules`, {
      pipeline_schedule: { name: 'nightly', schedule_type: 'api' },
    }),
    'pipeline_schedule',
  )
  const made = [1, 2].map(() => send('POST', `/api/pipelines/${home}/backfills`, { backfill }))
  const [first] = await Promise.all(made)
  return { backfill: recordIn(first!, 'backfill')?.id, schedule: schedule?.id, token: schedule?.token }
}

type Made = Awaited<ReturnType<typeof fill>>

it.each(
  firstOf<[string, string, (made: Made) => string, RegExp]>(1, [
    ['a pipeline', 'GET', () => `/api/pipelines/${home}`, /"name": ?"again\w+s1-home"/],
    ['a block', 'GET', () => `/api/pipelines/${home}/blocks/load`, /"uuid": ?"load"/],
    [
      'the backfills of a pipeline',
      'GET',
      () => `/api/backfills?pipeline_uuid=${home}&_limit=1`,
      /"count": ?2, ?"next": ?true/,
    ],
    ['all backfills', 'GET', () => '/api/backfills?_limit=1', /"count": ?2, ?"next": ?true/],
    [
      'a backfill',
      'PUT',
      ({ backfill }) => `/api/backfills/${backfill}`,
      /"pipeline_uuid": ?"again\w+s1_home"/,
    ],
    [
      'a schedule and its token',
      'POST',
      ({ schedule, token }) => `/api/pipeline_schedules/${schedule}/pipeline_runs/${token}`,
      /"pipeline_uuid": ?"again\w+s1_home"/,
    ],
  ]),
)('creates %s that a request names, in whatever form it is written', async (_, method, pathOf, expected) => {
  const forms: RequestVariant[] = [
    { name: 'as it is' },
    { name: 'the key in the query', keyIn: 'query' },
    { name: 'the key in the body', keyIn: 'body' },
    { name: 'spelled', isSpelled: true },
  ]
  for (const variant of forms) {
    const url = await listen(expressTarget('key'))
    const secrets = new Secrets({ UNDERSTUDY_API_KEY: 'contract-key' })
    const client = new Client(overHttp(url), { apiKey: 'contract-key' }, 10_000, secrets)
    const made = await fill(client, variant)
    const body = method === 'GET' ? undefined : { [method === 'PUT' ? 'backfill' : 'pipeline_run']: {} }
    const { path, requestBody, credentials } = await client.send(method, pathOf(made), { variant, body })
    const script = writeReproduction(
      { base: url, secrets, prefix, sent: client.sent.kept, signsIn: false },
      { method, path, requestBody, credentials },
      { title: variant.name, expected: 'the same', received: 'the same' },
    )
    // Somewhere else, where nothing of the run is.
    const other = createTarget({ auth: 'key' })
    const { out, err } = await paste(script.replace(url, await listen(createApp(other))))

    expect(out, script).toMatch(expected)
    expect(err).toBe('')
    expect(script).not.toContain(made.token)
    expect([other.model.pipelines.count(), other.model.backfills.count()]).toEqual([1, 0])
    expect(other.model.pipeline_schedules.count()).toBe(4)
    if (variant.isSpelled && path !== '/api/backfills?_limit=1') expect(script).toMatch(/\$SPELLED_|\w%\d/)
  }
})
