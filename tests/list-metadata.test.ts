import { expect, it, vi } from 'vitest'
import { createUnderstudy } from '../src/index.ts'
import type { Resource } from '../src/resources/define-resource.ts'
import { company } from './support/company.ts'

// No list of the document that the engine reads by itself has an empty metadata; this table has one.
vi.mock('../src/resources/index.ts', async (original) => {
  const table = await original<typeof import('../src/resources/index.ts')>()
  const change = (resource: Resource): Resource => ({
    ...resource,
    operations: resource.operations.map((operation) =>
      operation.id === 'listBackfills' ? { ...operation, metadata: 'empty' } : operation,
    ),
  })
  return { ...table, resources: table.resources.map(change) }
})

it('leaves the metadata of a list empty where the table says so, whoever runs it', () => {
  const understudy = createUnderstudy({ fixture: company })
  const metadataAt = (url: string) => {
    const reply = understudy.dispatch({ method: 'GET', url })
    return JSON.parse((reply as { body: string }).body).metadata
  }

  expect(metadataAt('/api/backfills')).toEqual({})
  expect(metadataAt('/api/pipelines/daily_sales/logs')).toEqual({})
  expect(metadataAt('/api/pipelines')).toEqual({ count: 2, next: false })
  expect(understudy.journal.entries({ operation: 'listBackfills' })[0]!.reply.body).toHaveProperty(
    'metadata',
    {},
  )
})
