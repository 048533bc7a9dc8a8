import { expect, it } from 'vitest'
import { createUnderstudy, type Understudy } from '../src/index.ts'
import type { ExpectedDifference } from '../src/integrations/matchers/index.ts'
import '../src/integrations/matchers/vitest.ts'
import { messageOf } from './support/assertion-message.ts'

const fixture = {
  pipelines: [{ name: 'daily sales' }],
  backfills: [
    { id: 1, pipeline_uuid: 'daily_sales', name: 'first' },
    { id: 2, pipeline_uuid: 'daily_sales', name: 'second' },
  ],
}

const cancel = (understudy: Understudy, status: 'cancelled' | null = 'cancelled') =>
  understudy.model.backfills.update((q) => q.where({ id: 1 }), {
    data(record) {
      record.status = status
    },
  })

/** Creates a mock with every kind of change since its start. */
async function changed(): Promise<Understudy> {
  const understudy = createUnderstudy({ fixture })
  const { backfills, pipeline_schedules } = understudy.model
  await cancel(understudy)
  backfills.delete((q) => q.where({ id: 2 }))
  await backfills.create({ pipeline_uuid: 'daily_sales', name: 'third' })
  await backfills.create({ pipeline_uuid: 'daily_sales', name: 'fourth' })
  await pipeline_schedules.create({ pipeline_uuid: 'daily_sales', name: 'nightly', token: 'secret-token' })
  return understudy
}

const messageFor = (understudy: Understudy, expected: ExpectedDifference) =>
  messageOf(() => expect(understudy).toHaveChanged(expected))

it('lists created, updated and deleted records since the start', async () => {
  const { backfills, pipelines } = (await changed()).diff()

  expect(backfills.created.map(({ name }) => name)).toEqual(['third', 'fourth'])
  expect(backfills.updated).toMatchObject([
    { record: { id: 1, name: 'first' }, changes: { status: { from: null, to: 'cancelled' } } },
  ])
  expect(backfills.deleted.map(({ id }) => id)).toEqual([2])
  expect(pipelines).toEqual({ created: [], updated: [], deleted: [] })
})

it('lists each changed attribute and no other', async () => {
  const understudy = createUnderstudy({ fixture })
  await understudy.model.backfills.update((q) => q.where({ id: 1 }), {
    data(record) {
      record.name = 'renamed'
      record.variables = { region: 'north' }
    },
  })

  const [updated] = understudy.diff().backfills.updated
  expect(updated?.changes).toEqual({
    name: { from: 'first', to: 'renamed' },
    variables: { from: null, to: { region: 'north' } },
  })
})

it('does not list a record that was changed back', async () => {
  const understudy = createUnderstudy({ fixture })
  await cancel(understudy)
  expect(understudy).toHaveChanged()
  await cancel(understudy, null)

  expect(understudy).not.toHaveChanged()
})

it('compares with a snapshot, after a reset too', async () => {
  const understudy = await changed()
  understudy.snapshot('changed')
  expect(understudy).not.toHaveChanged({}, 'changed')
  understudy.reset()

  expect(understudy).not.toHaveChanged()
  expect(understudy.diff('changed').backfills.deleted.map(({ name }) => name)).toEqual(['third', 'fourth'])
  expect(() => understudy.diff('chnged')).toThrow(
    'There is no snapshot "chnged"; there are changed. Did you mean changed?',
  )
})

it('includes events that are due by now', async () => {
  const understudy = createUnderstudy({ fixture })
  await understudy.factories.pipelineSchedule
    .with('active', 'hourly')
    .create({ pipeline_uuid: 'daily_sales' })
  understudy.snapshot('scheduled')
  understudy.clock.advance('1d')

  expect(understudy).toHaveChanged(
    {
      pipeline_runs: { created: 24 },
    },
    'scheduled',
  )
})

it('compares two worlds', () => {
  const understudy = createUnderstudy({ fixture })
  const alice = understudy.world('alice')
  alice.model.backfills.deleteMany((q) => q.where({ pipeline_uuid: 'daily_sales' }))

  expect(alice).toHaveChanged({ backfills: { deleted: 2 } }, { world: 'main' })
  expect(understudy).toHaveChanged({ backfills: { created: 2 } }, { world: 'alice' })
  expect(() => understudy.diff({ world: 'nobody' })).toThrow('There is no world "nobody".')
  expect(understudy.worlds.list()).toHaveLength(2)
})

it('matches resources that a fixture added', () => {
  const understudy = createUnderstudy({ fixture: { custom: { projects: [{ id: 1, name: 'one' }] } } })
  understudy.import({ custom: { projects: [{ id: 1, name: 'uno' }] } })

  expect(understudy.diff()).toMatchObject({
    projects: { updated: [{ changes: { name: { from: 'one', to: 'uno' } } }] },
  })
})

it.each<[string, ExpectedDifference]>([
  ['any change', {}],
  ['a count', { backfills: { created: 2 } }],
  ['several counts', { backfills: { created: 2, updated: 1, deleted: 1 }, blocks: { created: 0 } }],
  ['a pattern for each record', { backfills: { created: [{ name: 'third' }, { name: 'fourth' }] } }],
  ['patterns in another order', { backfills: { created: [{ name: 'fourth' }, {}] } }],
  ['a general pattern before a special one', { backfills: { created: [{}, { name: 'third' }] } }],
  ['no record', { pipelines: { created: [] } }],
  ['an asymmetric matcher', { backfills: { created: [{ name: expect.stringMatching('th') }, {}] } }],
  ['a token', { pipeline_schedules: { created: [{ token: 'secret-token' }] } }],
])('passes for %s', async (_, expected) => {
  expect(await changed()).toHaveChanged(expected)
})

it.each<[string, ExpectedDifference]>([
  ['another count', { backfills: { created: 1 } }],
  ['too few patterns', { backfills: { created: [{}] } }],
  ['too many patterns', { backfills: { created: [{}, {}, {}] } }],
  ['one record for two patterns', { backfills: { created: [{ name: 'third' }, { name: 'third' }] } }],
  ['a record that was only updated', { backfills: { created: [{ id: 1 }, {}] } }],
  ['another change', { backfills: { updated: [{ changes: { status: { to: 'failed' } } }] } }],
])('fails for %s', async (_, expected) => {
  expect(await changed()).not.toHaveChanged(expected)
})

it('shows what changed, and the nearest record as a diff of what was expected', async () => {
  const understudy = await changed()
  const expected: ExpectedDifference = {
    backfills: { created: [{ name: 'fourth', status: 'running' }, { name: 'third' }], deleted: 1 },
  }

  expect(messageFor(understudy, expected)).toContain(
    'Changed: pipeline_schedules (1 created), backfills (2 created, 1 updated, 1 deleted).',
  )
  expect(messageFor(understudy, expected)).toMatch(
    /"name": "fourth",\n- +"status": "running",\n\+ +"status": null,\n[^-+]*"name": "third"/,
  )
})

it('reports that nothing changed', () => {
  const understudy = createUnderstudy({ fixture })

  expect(messageFor(understudy, {})).toContain('Changed: nothing.')
  expect(messageFor(understudy, { backfills: { created: 1 } })).toMatch(
    /Changed: nothing\. If the app sends its request later, wait for it first, such as with vi\.waitFor\.\n[\s\S]*- +"created": 1/,
  )
})

it('prints no credential', async () => {
  const understudy = await changed()
  const message = messageFor(understudy, { pipeline_schedules: { created: [{ name: 'x' }, {}] } })

  expect(message).not.toContain('secret-token')
  expect(messageFor(understudy, { pipeline_schedules: { created: [] } })).toContain('"token": "***"')
})

it.each<[string, unknown, unknown, string]>([
  [
    'a misspelt resource',
    createUnderstudy(),
    { backfill: {} },
    'There is no resource "backfill"; there are users,',
  ],
  [
    'a misspelt kind',
    createUnderstudy(),
    { backfills: { create: 1 } },
    'backfills: expected the key "created", or one of updated, deleted; found "create".',
  ],
  [
    'a count that is none',
    createUnderstudy(),
    { backfills: { created: -1 } },
    'expected a number of records',
  ],
  ['a list as the expectation', createUnderstudy(), [], 'expected an object of resources'],
  ['something without a state', {}, {}, 'expected a mock, a world or a client'],
])('refuses %s', (_, received, expected, problem) => {
  expect(() => expect(received).toHaveChanged(expected as never)).toThrow(problem)
})
