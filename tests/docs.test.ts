import { execFileSync } from 'node:child_process'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, it } from 'vitest'
import { fixtureJsonSchema } from '../src/factories/fixture-schema.ts'
import { createUnderstudy } from '../src/index.ts'

const root = join(import.meta.dirname, '..')
const read = (path: string) => readFileSync(join(root, path), 'utf8')

it('has a fixture schema that is not stale', () => {
  expect(JSON.parse(read('fixtures/fixture.schema.json'))).toEqual(
    JSON.parse(JSON.stringify(fixtureJsonSchema())),
  )
})

it('has generated tables in the README that are not stale', () => {
  expect(() =>
    execFileSync('node', ['scripts/update-docs.mjs', '--check'], { cwd: root, stdio: 'pipe' }),
  ).not.toThrow()
})

it('has a demo that holds what the documentation promises', () => {
  const { model } = createUnderstudy({ fixture: JSON.parse(read('fixtures/demo.json')) })
  const types = new Set(model.pipelines.findMany().map(({ type }) => type))
  const statuses = new Set(model.backfills.findMany().map(({ status }) => status))
  const tokens = model.oauth_access_tokens.findMany()

  expect([...types].sort()).toEqual(['integration', 'pyspark', 'python', 'streaming'])
  expect(model.blocks.findMany((q) => q.where({ pipeline_uuid: 'daily_revenue' }))).toHaveLength(10)
  expect([...statuses].map(String).sort()).toEqual([
    'cancelled',
    'completed',
    'failed',
    'initial',
    'null',
    'running',
  ])
  expect(new Set(tokens.map(({ user_id }) => user_id))).toEqual(new Set([1, 2]))
  expect(model.pipelines.findFirst((q) => q.where({ uuid: 'kundenübersicht' }))).toBeDefined()
})

it('has a demo whose runs move by themselves', () => {
  const understudy = createUnderstudy({ fixture: JSON.parse(read('fixtures/demo.json')) })
  const running = () => understudy.model.pipeline_runs.findMany((q) => q.where({ status: 'running' })).length
  expect(running()).toBe(5)

  understudy.clock.advance('2m')

  expect(running()).toBe(1)
  expect(understudy.model.backfills.findFirst((q) => q.where({ id: 2 }))?.status).toBe('completed')
  expect(understudy.model.backfills.findFirst((q) => q.where({ id: 5 }))?.status).toBe('completed')
})
