import { expect, it } from 'vitest'
import { singularOf } from '../src/resources/singular-of.ts'

it.each([
  ['projects', 'project'],
  ['statuses', 'status'],
  ['feature_flags', 'feature_flag'],
  ['global_data_products', 'global_data_product'],
  ['policies', 'policy'],
  ['databases', 'database'],
  ['warehouses', 'warehouse'],
  ['branches', 'branch'],
  ['addresses', 'address'],
  ['boxes', 'box'],
  ['aliases', 'alias'],
  ['analyses', 'analysis'],
  ['indices', 'index'],
  ['people', 'person'],
  ['series', 'series'],
  ['status', 'status'],
  ['access', 'access'],
  ['analysis', 'analysis'],
  ['data', 'data'],
])('finds of %s the singular %s', (plural, singular) => {
  expect(singularOf(plural)).toBe(singular)
})
