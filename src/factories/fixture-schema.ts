import * as z from 'zod'
import { resources } from '../resources/index.ts'

const moment = z
  .string()
  .describe('A datetime such as 2026-01-31 12:00:00, or one relative to the clock: -2d, +20s, now.')

/** The JSON Schema of a fixture, for editors. */
export function fixtureJsonSchema(): object {
  const lists = Object.fromEntries(
    resources
      .filter(({ stored }) => stored !== false)
      .map((resource) => [resource.plural, z.array(recordSchema(resource.plural)).optional()]),
  )
  const schema = z.strictObject({
    $schema: z.string().optional(),
    clock: z.string().describe('The moment a frozen clock starts at.').optional(),
    api_keys: z.array(z.string().min(1)).optional(),
    custom: z
      .record(z.string(), z.array(z.looseObject({})))
      .describe('Resources beyond the documented ones.')
      .optional(),
    custom_keys: z.record(z.string(), z.literal('uuid')).optional(),
    next_ids: z.record(z.string(), z.int().min(1)).optional(),
    ...lists,
  })
  return { title: 'pipeline-understudy fixture', ...z.toJSONSchema(schema, { io: 'input' }) }
}

/** A record as a fixture writes it: nothing is required but what nobody could guess. */
function recordSchema(plural: string): z.ZodObject {
  const resource = resources.find((candidate) => candidate.plural === plural)!
  const shape = Object.fromEntries(
    Object.entries(resource.attributes.shape).map(([name, schema]) => [
      name,
      (resource.moments.includes(name) ? moment.nullable() : (schema as z.ZodType)).optional(),
    ]),
  )
  const owner =
    plural === 'blocks'
      ? undefined
      : Object.entries(resource.references ?? {}).find(([, { whenDeleted }]) => whenDeleted === 'delete')
  if (owner) shape[owner[0]] = resource.attributes.shape[owner[0]] as never
  if (plural === 'pipelines') shape.blocks = z.array(recordSchema('blocks')).optional() as never
  return z.strictObject(shape)
}
