import * as z from 'zod'
import type { World } from '../../engine/worlds/world.ts'
import type { AnyFactory } from '../../factories/factory.ts'
import * as limits from '../../shared/limits.ts'
import { camelCase } from '../../shared/words.ts'
import { defineRoute } from '../define-route.ts'
import { Problem } from '../problem.ts'
import { records } from '../schemas.ts'

const values = z.looseObject({})

/** Admin API routes for factories. */
export const factoryRoutes = [
  defineRoute({
    id: 'makeRecords',
    route: 'POST /worlds/:world/factories/:singular',
    summary: 'Create records, with values for missing attributes',
    description: 'Name the factory by its resource (`snake_case`) or as in code (`camelCase`).',
    body: z
      .strictObject({
        values: z
          .union([values, z.array(values).max(limits.madeRecords)])
          .optional()
          .describe('Values of all records, or one object for each.'),
        count: z
          .int()
          .min(0)
          .max(limits.madeRecords)
          .optional()
          .describe('Default: one, or the number of objects in `values`.'),
        traits: z
          .array(z.string())
          .optional()
          .describe('Names of variations of the resource, such as `failed`.'),
      })
      .default({}),
    isLarge: true,
    reply: { status: 201, description: 'The records.', schema: records },
    root: '$.values',
    async handle(_, world, { parameters, body: { values = {}, count, traits = [] } }) {
      const factory = factoryOf(world, parameters.singular).with(...traits)
      if (!Array.isArray(values)) return { records: await factory.createMany(count ?? 1, values) }
      if (count !== undefined && count !== values.length) {
        throw new Problem(422, 'count and values differ.', {
          errors: [
            { path: '$.count', expected: `${values.length}, as there are values`, found: String(count) },
          ],
        })
      }
      return { records: await factory.createMany(values.length, (index) => values[index] ?? {}) }
    },
  }),
]

function factoryOf(world: World, singular: string): AnyFactory {
  const name = camelCase(singular)
  const factory: AnyFactory | undefined = Reflect.get(world.factories, name)
  if (factory) return factory
  throw new Problem(404, `There is no factory ${name}.`)
}
