import * as z from 'zod/mini'
import { nonEmptyText, positiveInteger } from '../resources/attributes.ts'
import { resources } from '../resources/index.ts'
import { keptNotes } from '../resources/kept-notes.ts'
import type { Resource } from '../resources/resource.ts'

const moment = z
  .string()
  .check(z.describe('A datetime such as 2026-01-31 12:00:00, or one relative to the clock: -2d, +20s, now.'))

/** The JSON Schema of a fixture, for editors. */
export function fixtureJsonSchema(): object {
  const lists = Object.fromEntries(
    resources
      .filter(({ stored }) => stored !== false)
      .map((resource) => [resource.plural, z.optional(z.array(recordSchema(resource)))]),
  )
  const schema = z.strictObject({
    $schema: z.optional(z.string()),
    clock: z.optional(z.string().check(z.describe('The moment a frozen clock starts at.'))),
    api_keys: z.optional(z.array(nonEmptyText)),
    custom: z.optional(
      z
        .record(z.string(), z.array(z.looseObject({})))
        .check(z.describe('Resources beyond the documented ones.')),
    ),
    custom_keys: z.optional(z.record(z.string(), z.literal('uuid'))),
    next_ids: z.optional(z.record(z.string(), positiveInteger)),
    ...lists,
  })
  return { title: 'pipeline-understudy fixture', ...z.toJSONSchema(schema, { io: 'input' }) }
}

/** A record as a fixture writes it: nothing is required but what nobody could guess. */
function recordSchema(resource: Resource): z.ZodMiniObject {
  const { attributes, references = {}, moments, fixture } = resource
  const shape: Record<string, z.ZodMiniType> = Object.fromEntries(
    Object.entries(attributes.shape as Readonly<Record<string, z.ZodMiniType>>).map(([name, schema]) => {
      const written = z.optional(moments.includes(name) ? z.nullable(moment) : schema)
      const note = keptNotes[name]
      return [name, note === undefined ? written : written.check(z.describe(note))]
    }),
  )
  // One that may stand inside its owner need not name it.
  const owner = Object.keys(references).find((name) => references[name]!.whenDeleted === 'delete')
  if (owner !== undefined && fixture?.nested === undefined)
    shape[owner] = attributes.shape[owner] as z.ZodMiniType
  for (const inner of resources) {
    const { nested } = inner.fixture ?? {}
    const isOurs = nested !== undefined && inner.references![nested.reference]!.plural === resource.plural
    if (isOurs) shape[nested.under] = z.optional(z.array(recordSchema(inner)))
  }
  return z.strictObject(shape)
}
