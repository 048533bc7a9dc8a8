import { expect, it } from 'vitest'
import { createClient } from '../src/admin/client/index.ts'
import { createUnderstudy, type Fixture } from '../src/index.ts'
import { company } from './support/company.ts'
import { serveMock } from './support/serve-mock.ts'
import { listen } from './support/temporary.ts'

async function open(fixture: Fixture) {
  const served = await serveMock(createUnderstudy({ fixture }))
  return {
    ...served,
    client: createClient(served.url),
    state: `${served.url}/__understudy__/api/worlds/main/state`,
  }
}

const put = (url: string, body: string) =>
  fetch(url, { method: 'PUT', headers: { 'content-type': 'application/json' }, body })

it('imports the state that it exports, however large', async () => {
  // More than the 10 MB that other bodies may have.
  const variables = { text: 'x'.repeat(10_500_000) }
  const backfills = [{ name: 'a', pipeline_uuid: 'archive', variables }]
  const { state, understudy } = await open({ ...company, backfills })
  const text = await (await fetch(state)).text()
  expect(text.length).toBeGreaterThan(10_500_000)
  expect(JSON.parse(text)).toEqual(understudy.export())

  understudy.import({})
  expect((await put(state, text)).status).toBe(204)
  expect(understudy.model.backfills.count()).toBe(1)
})

it('explains what is wrong with a state', async () => {
  const { state, client, understudy } = await open(company)
  const text = JSON.stringify(await client.export())
  await client.import({ ...JSON.parse(text), backfills: [] })

  const invalid = await put(state, `${text.slice(0, -1)}, "backfils": []}`)
  expect(invalid.status).toBe(422)
  expect(await invalid.json()).toMatchObject({ errors: [{ path: '$.backfils' }] })
  const cut = await put(state, text.slice(0, -3))
  expect([cut.status, await cut.json()]).toMatchObject([400, { detail: 'The body is not JSON.' }])
  expect(understudy.model.backfills.count()).toBe(0)
})

it('reports a broken connection', async () => {
  const { url, understudy, client } = await open(company)
  understudy.faults.add({ path: '/api/pipelines', drop: true })
  await expect(client.fetch('/api/pipelines')).rejects.toThrow(
    `[understudy] The connection to ${url} broke off before there was a reply`,
  )
})

it.each([
  ['is not a state', '<html>', false, 'NOT_AN_ADMIN'],
  ['has no end', '{"pipelines":[', false, 'NOT_AN_ADMIN'],
  ['breaks off', '{"pipelines":[', true, 'UNREACHABLE'],
])('reports a reply that %s', async (_, text, breaks, code) => {
  const url = await listen((_, response) => {
    response.writeHead(200, { 'content-type': 'application/json' }).write(text, () => {
      if (breaks) response.destroy()
      else response.end()
    })
  })

  await expect(createClient(url).export()).rejects.toMatchObject({ code })
})
