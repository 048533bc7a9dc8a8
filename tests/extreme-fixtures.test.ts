import * as fc from 'fast-check'
import { expect, it as itInParts } from 'vitest'
import { createUnderstudy, type Fixture, FixtureError, type Understudy } from '../src/index.ts'
import { resources } from '../src/resources/index.ts'
import type { Resource } from '../src/resources/resource.ts'
import { company } from './support/company.ts'
import { samples, wholly } from './support/depth.ts'

const it = wholly(itInParts)

const fixture = {
  ...company,
  custom: { ...company.custom, accounts: [{ id: 2 ** 53 - 1 }, { id: 2 ** 52 }, { id: 7 }] },
}
const times = ['0000-01-01 00:00:00', '2026-01-01 00:00:00', '2026-02-28 23:59:59', '9999-12-31 23:59:59']
const texts = [
  ...[
    '', 'a', 'load_orders', 'daily_sales',
    'x'.repeat(300),
    '\u0000', '\ud800', '💥', '__proto__', '../a', '%00',
  ],
  'constructor', 'true', 'null', '1e3', 'a\r\nb: c', '@hourly', '@always_on', '@once', '* * * * * *',
  '59 23 31 12 *', '*/7 * * * *', 'second', 'month', 'year', 'custom', 'initial', 'running', 'completed',
  'cancelled', 'active', 'python', 'streaming', 'data_loader', 'callback', 'conditional', 'time', 'api',
  ...times,
] // biome-ignore format: a list
const numbers = [
  0, -0, 1, -1, 7, 2 ** 31,
  2 ** 52 - 1,
  2 ** 52,
  2 ** 53 - 1,
  2 ** 53,
  -(2 ** 53),
  1e308,
  0.5,
  1e-7,
] // biome-ignore format: a list
const text = fc.constantFrom(...texts)
const number = fc.constantFrom(...numbers)
const extreme = fc.oneof(
  { weight: 4, arbitrary: text },
  { weight: 4, arbitrary: number },
  fc.constantFrom(null, true, false, [], {}, [null], [[]], { a: { b: [2 ** 53 - 1] } }, { length: 1e9 }),
  fc.array(text, { maxLength: 3 }),
  fc.dictionary(text, fc.oneof(text, number), { maxKeys: 3 }),
)

/** Likely values of attributes: often of the right type, else any extreme. */
const likely: Readonly<Record<string, fc.Arbitrary<unknown>>> = {
  name: text.filter((name) => name !== ''),
  id: number,
  type: fc.constantFrom('python', 'streaming', 'data_loader', 'callback', 'custom'),
  status: fc.constantFrom(
    'initial', 'running', 'completed', 'failed', 'cancelled', 'active', 'inactive', 'executed',
  ),
  start_datetime: fc.constantFrom(...times),
  end_datetime: fc.constantFrom(...times),
  start_time: fc.constantFrom(...times),
  interval_type: fc.constantFrom('second', 'week', 'month', 'year', 'custom'),
  interval_units: fc.constantFrom(...numbers.filter((each) => Number.isSafeInteger(each) && each > 0)),
  schedule_interval: text,
  schedule_type: fc.constantFrom('time', 'api'),
  upstream_blocks: fc.array(fc.constantFrom('load_orders', 'sum_up', 'a', 'x'), { maxLength: 3 }),
  priority: number,
  ...Object.fromEntries(
    ['variables', 'metrics', 'settings', 'executor_config', 'configuration'].map((name) => [
      name,
      fc.dictionary(text, extreme, { maxKeys: 2 }),
    ]),
  ),
} // biome-ignore format: a list

function valueFor(name: string): fc.Arbitrary<unknown> {
  return fc.oneof({ weight: 5, arbitrary: likely[name] ?? extreme }, extreme)
}

/** Returns whether an export can be imported without a difference. */
function isRoundTrip(understudy: Understudy): boolean {
  const state = understudy.export()
  understudy.import(JSON.parse(JSON.stringify(state)))
  return JSON.stringify({ ...understudy.export(), clock: '' }) === JSON.stringify({ ...state, clock: '' })
}

/** Names of attributes and resources that mean something elsewhere. */
const oddName = fc.constantFrom(
  'id', 'uuid', 'a', 'length', 'constructor', 'toJSON', 'hasOwnProperty', '', 'a.b', 'status',
) // biome-ignore format: a list
const column = fc.oneof(oddName, fc.constantFrom('created_at', 'x'.repeat(300), '\u0000', '\ud800', '~1'))
const row = fc.dictionary(column, extreme, { maxKeys: 4 })
const ownRows = fc
  .tuple(
    fc.array(row, { maxLength: 3 }),
    fc.uniqueArray(number, { minLength: 3 }),
    fc.constantFrom('id', 'uuid'),
  )
  .map(([rows, ids, key]) =>
    rows.map((values, index) => ({ ...values, [key]: key === 'id' ? ids[index] : `${index}` })),
  )
const stored = resources.filter(({ stored: isStored }) => isStored !== false)
const rowsOf = ({ attributes }: Resource) => {
  const names = Object.keys(attributes.shape)
  return fc.array(
    fc
      .subarray(names, { maxLength: Math.min(4, names.length) })
      .chain((some) => fc.record(Object.fromEntries(some.map((name) => [name, valueFor(name)])))),
    { maxLength: 2 },
  )
}
const resourceNames = fc.constantFrom('accounts', 'series', 'news', 'then', 'constructor', 'pipelines', 'a')
/** Fixtures that are much like one, with resources of their own. */
const fixtures = fc
  .tuple(
    fc.dictionary(resourceNames, fc.oneof({ weight: 3, arbitrary: ownRows }, fc.array(row)), { maxKeys: 2 }),
    fc
      .subarray(stored, { maxLength: 2 })
      .chain((some) =>
        fc.record(Object.fromEntries(some.map((resource) => [resource.plural, rowsOf(resource)]))),
      ),
    fc.oneof(fc.constant({}), fc.record({ clock: fc.constantFrom(...times, '', 1) })),
    fc.oneof(fc.constant({}), fc.record({ next_ids: fc.dictionary(resourceNames, number, { maxKeys: 2 }) })),
  )
  .map(([custom, ...others]) => Object.assign({ custom }, ...others) as Fixture)

itInParts('accepts a fixture of extreme values, or reports its problems', async () => {
  let taken = 0
  await fc.assert(
    fc.asyncProperty(
      fixtures,
      fc.array(fc.tuple(row, fc.nat()), { maxLength: 6 }),
      async (given, requests) => {
        let understudy: Understudy
        try {
          understudy = createUnderstudy({ fixture: given })
        } catch (error) {
          expect(error).toBeInstanceOf(FixtureError)
          return
        }
        taken++
        const own = understudy.endpoints.filter(({ route }) => route.basis === 'custom')
        for (const [values, index] of own.length === 0 ? [] : requests) {
          const { route, resource } = own[index % own.length]!
          const path = route.path.replace(/:\w+/, encodeURIComponent(JSON.stringify(values.id ?? 1)))
          const body = JSON.stringify({ [resource.singular]: values })
          const reply = await understudy.dispatch({ method: route.method, url: path, headers: {}, body })
          expect(reply?.code, reply?.body).not.toBe(500)
        }
        expect(isRoundTrip(understudy)).toBe(true)
      },
    ),
    { numRuns: samples(150), seed: 11 },
  )
  expect(taken).toBeGreaterThan(samples(20))
})

it('imports a state with a block below a missing one', async () => {
  const understudy = createUnderstudy({ fixture })
  await understudy.factories.block.create({
    name: 'odd',
    upstream_blocks: ['nowhere'],
    pipeline_uuid: 'daily_sales',
  })
  understudy.import(JSON.parse(JSON.stringify(understudy.export())))

  const odd = understudy.model.blocks.findFirst((q) => q.where({ name: 'odd' }))
  expect(odd?.upstream_blocks).toEqual(['nowhere'])
})
