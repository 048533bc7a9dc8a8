import { expect } from 'vitest'
import type { Collection } from '../src/factories/collection-types.ts'
import { createUnderstudy, type Fixture } from '../src/index.ts'
import type { WireRecord } from '../src/resources/resource.ts'
import { openInMemory, pluck, stateOf } from './support/api.ts'
import { company } from './support/company.ts'
import { it } from './support/it.ts'

const options = { fixture: company }

it('lists custom records with the parameters of the user interface', async ({ api }) => {
  expect((await api.get('/api/statuses')).body).toEqual({
    statuses: [{ id: 1, require_user_authentication: false }],
    metadata: { count: 1, next: false },
  })
  expect((await api.get('/api/projects')).body).toEqual({
    projects: [{ id: 1, name: 'demo' }],
    metadata: { count: 1, next: false },
  })
})

it('creates, reads, updates and deletes a custom record', async ({ api }) => {
  expect((await api.post('/api/projects', { project: { name: 'two', settings: { a: [1] } } })).body).toEqual({
    project: { id: 2, name: 'two', settings: { a: [1] } },
  })
  expect((await api.get('/api/projects/2')).body).toEqual({
    project: { id: 2, name: 'two', settings: { a: [1] } },
  })
  expect((await api.put('/api/projects/2', { project: { name: 'second' } })).body).toEqual({
    project: { id: 2, name: 'second', settings: { a: [1] } },
  })
  expect((await api.delete('/api/projects/2')).body).toEqual({
    project: { id: 2, name: 'second', settings: { a: [1] } },
  })
  expect((await api.get('/api/projects/2')).body).toMatchObject({
    error: { code: 404, type: 'record_not_found' },
  })
  expect(
    pluck(
      (await api.post('/api/projects', { project: {} }).then(() => api.get('/api/projects'))).records,
      'id',
    ),
  ).toEqual([1, 3])
})

it('serves a custom resource that has no records yet', async () => {
  const api = await openInMemory({ fixture: { custom: { teams: [] } } })

  expect((await api.get('/api/teams')).body).toEqual({ teams: [], metadata: { count: 0, next: false } })
  expect((await api.post('/api/teams', { team: { name: 'a' } })).body).toEqual({ team: { id: 1, name: 'a' } })
})

it('marks custom operations as custom', () => {
  const understudy = createUnderstudy(options)
  const routes = understudy.endpoints.filter(({ route }) => route.path.startsWith('/api/projects'))

  expect(routes.map(({ route }) => [route.method, route.basis])).toEqual([
    ['GET', 'custom'],
    ['GET', 'custom'],
    ['POST', 'custom'],
    ['PUT', 'custom'],
    ['DELETE', 'custom'],
  ])
})

it('needs credentials for custom resources as for all others', async () => {
  const api = await openInMemory({ ...options, auth: 'key' })

  expect((await api.get('/api/projects')).error.type).toBe('invalid_api_key')
  expect(pluck((await api.get('/api/projects?api_key=test-key')).records, 'name')).toEqual(['demo'])
})

const wrong: readonly (readonly [
  what: string,
  method: string,
  path: string,
  json: unknown,
  field: string,
])[] = [
  ['an id that is taken', 'POST', '/api/projects', { project: { id: 1 } }, 'id'],
  ['an id that is a text', 'POST', '/api/projects', { project: { id: 'x' } }, 'id'],
  ['an id below 1', 'POST', '/api/projects', { project: { id: 0 } }, 'id'],
  ['another id in an update', 'PUT', '/api/projects/1', { project: { id: 7 } }, 'id'],
  ['no uuid where records have one', 'POST', '/api/plugins', { plugin: { enabled: true } }, 'uuid'],
  ['a uuid that is taken', 'POST', '/api/plugins', { plugin: { uuid: 'slack' } }, 'uuid'],
  ['another uuid in an update', 'PUT', '/api/plugins/slack', { plugin: { uuid: 'mail' } }, 'uuid'],
  ['the wrong envelope key', 'POST', '/api/projects', { projects: { name: 'x' } }, 'project'],
  ['an array for a record', 'PUT', '/api/projects/1', { project: [] }, 'project'],
  ['no body', 'POST', '/api/projects', undefined, 'project'],
]

it.each(wrong)('answers the envelope to a custom record with %s', async (_, method, path, json, field) => {
  const api = await openInMemory(options)
  const before = stateOf(api.understudy)
  const reply = await api.send({ method, path, json })

  expect(reply.status).toBe(200)
  expect(reply.body).toMatchObject({ error: { code: 400, type: 'record_invalid' }, status: 200 })
  expect(reply.error.message).toContain(field)
  expect(stateOf(api.understudy)).toEqual(before)
})

it('preserves the ids of custom records through export and import', async ({ api }) => {
  await api.put('/api/projects/1', { project: { uuid: 'written-by-a-client' } })
  const copy = await openInMemory({ fixture: JSON.parse(JSON.stringify(api.understudy.export())) as Fixture })

  expect((await copy.get('/api/projects/1')).body).toEqual((await api.get('/api/projects/1')).body)
  expect((await copy.post('/api/projects', { project: { name: 'two' } })).body).toEqual({
    project: { id: 2, name: 'two' },
  })
})

it('finds custom records by uuid after an import without any', async ({ api }) => {
  await api.delete('/api/plugins/slack')
  const copy = await openInMemory({ fixture: JSON.parse(JSON.stringify(api.understudy.export())) as Fixture })

  expect((await copy.post('/api/plugins', { plugin: { uuid: 'mail' } })).body).toEqual({
    plugin: { uuid: 'mail' },
  })
})

it('distinguishes attributes of a custom record from inherited ones', async () => {
  const drivers: object[] = [
    { id: 1, constructor: 'Lotus' },
    { id: 2 },
    { id: 3, constructor: 'Lotus', toString: 'x' },
  ]
  const understudy = createUnderstudy({ fixture: { custom: { drivers } } as Fixture })
  const { drivers: table } = understudy.model as unknown as { drivers: Collection<WireRecord, WireRecord> }

  expect(table.countBy('constructor')).toEqual({ Lotus: 2, null: 1 })
  expect(table.count({ constructor: 'Lotus' })).toBe(2)
  expect((await table.page({ search: 'toString:x' })).count).toBe(1)
  const orderBy = { toString: 'asc' } as object
  expect((await table.page({ orderBy })).records.map(({ id }) => id)).toEqual([3, 1, 2])
  await understudy.dispatch({ method: 'PUT', url: '/api/drivers/2', body: '{"driver":{"valueOf":"new"}}' })
  expect(understudy.journal.entries().at(-1)!.changes).toEqual([
    { op: 'add', path: '/drivers/2/valueOf', value: 'new' },
  ])
})
