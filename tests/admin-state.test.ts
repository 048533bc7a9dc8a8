import { expect, it } from 'vitest'
import { createClient } from '../src/admin/client/index.ts'
import { createUnderstudy, type Fixture, type UnderstudyOptions } from '../src/index.ts'
import { company } from './support/company.ts'
import { serveMock } from './support/serve-mock.ts'
import { listen } from './support/temporary.ts'

async function open(fixture: Fixture, options: UnderstudyOptions = {}) {
  const served = await serveMock(createUnderstudy({ fixture, ...options }))
  return {
    ...served,
    client: createClient(served.url),
    state: `${served.url}/__understudy__/api/worlds/main/state`,
  }
}

const put = (url: string, body: string | Uint8Array<ArrayBuffer>) =>
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

it.each([
  ['a list', '[]', 422],
  ['a key that reaches a prototype', '{"__proto__":{"a":1}}', 400],
  ['the same, deeper', '{"pipelines":[{"name":"a","__proto__":{}}]}', 400],
  ['nesting that could not be written out', `{"pipelines":[${'['.repeat(300)}${']'.repeat(300)}]}`, 400],
  ['nothing', '', 422],
])('refuses %s for a state', async (_, body, status) => {
  const { state, understudy } = await open(company)

  expect((await put(state, body)).status).toBe(status)
  expect(understudy.model.pipelines.count()).toBe(2)
})

it('refuses a state that is not UTF-8', async () => {
  const { state } = await open(company)

  expect((await put(state, new Uint8Array([123, 34, 255, 34, 125]))).status).toBe(400)
})

it('reports a broken connection', async () => {
  const { url, understudy, client } = await open(company)
  understudy.faults.add({ path: '/api/pipelines', drop: true })
  await expect(client.fetch('/api/pipelines')).rejects.toThrow(
    `[understudy] The connection to ${url} broke off before there was a reply`,
  )
})

it('limits the size of the fixtures of all worlds, until one of those worlds is deleted', async () => {
  const { client, understudy } = await open(company, { maxMemory: 10 * 2 ** 20 })
  // About 0.8 MB in memory.
  const variables = { text: 'x'.repeat(420_000) }
  const fixture = { pipelines: [{ name: 'a' }], backfills: [{ pipeline_uuid: 'a', variables }] }
  let count = 0
  const create = () => understudy.worlds.create(`world-${++count}`, { fixture })
  for (let index = 0; index < 12; index++) create()

  expect(create).toThrow('With this world, the records of all worlds take more than 10 MB')
  const small = { fixture: { pipelines: [{ name: 'b', description: 'x'.repeat(100_000) }] } }
  await expect(client.worlds.create('small', small)).resolves.toBeDefined()
  understudy.worlds.delete('world-1')
  expect(create).not.toThrow()
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
