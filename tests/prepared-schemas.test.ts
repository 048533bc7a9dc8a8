import fc from 'fast-check'
import { expect, it } from 'vitest'
import { compile, type core, safeParse } from 'zod/mini'
import { createUnderstudy } from '../src/index.ts'
import { resources } from '../src/resources/index.ts'
import { createApp } from '../src/server/create-app.ts'
import { company } from './support/company.ts'

const stored = resources.filter(({ stored }) => stored !== false)
const understudy = createUnderstudy({ fixture: company })
const collections = understudy.model as unknown as Readonly<Record<string, { all(): object[] }>>

/** Every schema that requests or records are held against, with records to begin with. */
const schemas = resources.flatMap((resource) => [
  ...(stored.includes(resource) ? [[`the records of ${resource.plural}`, resource.attributes] as const] : []),
  ...resource.operations.flatMap(({ id, writes }) => (writes ? [[id, writes] as const] : [])),
])
const records = stored.flatMap(({ plural }) => collections[plural]!.all())
const scalar = fc.oneof(
  fc.constantFrom(null, undefined, true, 0, -1, 1.5, '', 'x', 'running for 3 reads, then failed', '@daily'),
  fc.constantFrom('2026-01-01 00:00:00', '2026-01-01 00:00:00.000000+00:00', 'running', 'python', 'day'),
  fc.jsonValue({ maxDepth: 2 }),
)
const values = fc
  .tuple(fc.constantFrom(...records), fc.dictionary(fc.constantFrom(...names()), scalar, { maxKeys: 4 }))
  .map(([record, changes]) => ({ ...record, ...changes }))

function names(): string[] {
  return [...new Set(schemas.flatMap(([, { shape }]) => Object.keys(shape)))]
}

/** What a schema says of a value, as text, with the order of the keys. */
function saidBy(schema: core.$ZodType, value: unknown): string {
  const { success, data, error } = safeParse(schema, value)
  return JSON.stringify(success ? data : error.issues)
}

it.each(schemas)('makes code of %s that says what the schema says', (_, schema) => {
  const compiled = compile(schema)

  expect(compiled).not.toBe(schema)
  fc.assert(
    fc.property(values, (value) => {
      expect(saidBy(compiled, value)).toBe(saidBy(schema, value))
    }),
    { numRuns: 200 },
  )
})

it('answers the thousandth write as the first, right or wrong, where a server has code made of schemas', async () => {
  const world = createUnderstudy({ fixture: company })
  createApp(world)
  const put = async (backfill: object) =>
    (await world.dispatch({
      method: 'PUT',
      url: '/api/backfills/1',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify({ backfill }),
    }))!.body
  const right = { name: 'again', variables: { region: 'north' }, started_at: '2026-01-01 00:00:00' }
  const wrong = { name: 'again', status: 'paused', interval_units: 0 }
  const first = [await put(right), await put(wrong)]
  for (let count = 0; count < 1_000; count++) await put(right)
  // The compiler is loaded when it is needed first.
  await new Promise((resolve) => setTimeout(resolve, 50))

  expect(first[1]).toContain('backfill.interval_units: expected at least 1; found 0')
  expect([await put(right), await put(wrong)]).toEqual(first)
})
