import * as z from 'zod'
import { resources } from '../resources/index.ts'
import type { Resource } from '../resources/resource.ts'

const moment = z
  .string()
  .describe('A datetime such as 2026-01-31 12:00:00, or one relative to the clock: -2d, +20s, now.')

/** The JSON Schema of a fixture, for editors. */
export function fixtureJsonSchema(): object {
  const lists = Object.fromEntries(
    resources
      .filter(({ stored }) => stored !== false)
      .map((resource) => [resource.plural, z.array(recordSchema(resource)).optional()]),
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
function recordSchema(resource: Resource): z.ZodObject {
  const { attributes, references = {}, moments, fixture } = resource
  const shape: Record<string, z.ZodType> = Object.fromEntries(
    Object.entries(attributes.shape as Readonly<Record<string, z.ZodType>>).map(([name, schema]) => [
      name,
      (moments.includes(name) ? moment.nullable() : schema).optional(),
    ]),
  )
  // One that may stand inside its owner need not name it.
  const owner = Object.keys(references).find((name) => references[name]!.whenDeleted === 'delete')
  if (owner !== undefined && fixture?.nested === undefined)
    shape[owner] = attributes.shape[owner] as z.ZodType
  for (const inner of resources) {
    const { nested } = inner.fixture ?? {}
    const isOurs = nested !== undefined && inner.references![nested.reference]!.plural === resource.plural
    if (isOurs) shape[nested.under] = z.array(recordSchema(inner)).optional()
  }
  return z.strictObject(shape)
}
