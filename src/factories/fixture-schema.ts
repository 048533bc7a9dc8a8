import * as z from 'zod/mini'
import { nonEmptyText, positiveInteger } from '../resources/attributes.ts'
import { describeAttribute } from '../resources/describe-attribute.ts'
import { resources } from '../resources/index.ts'
import { notesOn } from '../resources/notes.ts'
import type { Resource } from '../resources/resource.ts'
import { required } from '../shared/values.ts'
import { toWords } from '../shared/words.ts'
import { nestedIn } from './fixture-entries.ts'

const timestamp = z
  .string()
  .check(z.describe('A datetime such as 2026-01-31 12:00:00, or one relative to the clock: -2d, +20s, now.'))

/** The JSON Schema of a fixture, for editors. */
export function fixtureJsonSchema(): object {
  const stored = resources.filter(({ stored }) => stored !== false)
  const lists = stored.map((resource) => [resource.plural, z.optional(z.array(recordSchema(resource)))])
  const schema = z.strictObject({
    $schema: described(z.string(), 'Where this schema is, for editors.'),
    clock: described(z.string(), 'The time at which a frozen clock starts.'),
    api_keys: described(z.array(nonEmptyText), 'The keys that clients may send, where keys are checked.'),
    custom: described(
      z.record(z.string(), z.array(z.looseObject({}))),
      'Resources beyond the documented ones: their records, by plural.',
    ),
    custom_keys: described(
      z.record(z.string(), z.literal('uuid')),
      'What identifies their records, by plural, where it is not `id`.',
    ),
    next_ids: described(
      z.record(z.string(), positiveInteger),
      'The id that the next record gets, by plural, where it is not the highest plus one.',
    ),
    ...Object.fromEntries(lists),
  })
  const { properties = {}, ...others } = z.toJSONSchema(schema, { io: 'input' })
  const ofRecords = stored.map((resource) => [
    resource.plural,
    describeList(schemaOf(properties[resource.plural]), resource),
  ])
  return {
    title: 'pipeline-understudy fixture',
    ...others,
    properties: { ...properties, ...Object.fromEntries(ofRecords) },
  }
}

function described(schema: z.ZodMiniType, text: string): z.ZodMiniType {
  return z.optional(schema.check(z.describe(text)))
}

/** Schema of a record in a fixture: requires only parents. */
function recordSchema(resource: Resource): z.ZodMiniObject {
  const { attributes, references = {}, times, fixture } = resource
  const stored: Readonly<Record<string, z.core.$ZodType>> = attributes.shape
  const shape: Record<string, z.core.$ZodType> = Object.fromEntries(
    Object.entries(stored).map(([name, schema]) => [
      name,
      z.optional(times.includes(name) ? z.nullable(timestamp) : schema),
    ]),
  )
  for (const [name, { whenDeleted }] of Object.entries(references)) {
    const schema = required(stored[name], `the attribute ${name}`)
    // A nested record need not name its owner.
    const isNeeded = whenDeleted === 'delete' && fixture?.nested?.reference !== name
    if (isNeeded && !z.safeParse(schema, undefined).success) shape[name] = schema
  }
  for (const [under, inner] of nestedIn(resource)) shape[under] = z.optional(z.array(recordSchema(inner)))
  return z.strictObject(shape)
}

/** Returns a part of a JSON Schema that is a schema itself. Zod writes no list and no boolean here. */
function schemaOf(part: z.core.JSONSchema.BaseSchema['items']): z.core.JSONSchema.BaseSchema {
  if (typeof part !== 'object' || Array.isArray(part)) throw new Error('Expected a JSON Schema.')
  return part
}

/** Adds the descriptions of attributes. */
function describeList(
  schema: z.core.JSONSchema.BaseSchema,
  resource: Resource,
): z.core.JSONSchema.BaseSchema {
  const { properties = {}, ...items } = schemaOf(schema.items)
  const inside = new Map(nestedIn(resource))
  const attributes = Object.entries(properties).map(([name, value]) => {
    const property = schemaOf(value)
    const inner = inside.get(name)
    if (inner === undefined) return [name, describeAttribute(property, resource, name)]
    const description = `Its ${toWords(inner.plural)}, in their order; or write them as \`${inner.plural}\` of the fixture.`
    return [name, { ...describeList(property, inner), description }]
  })
  return {
    ...schema,
    description: `${notesOn(resource).title} of the start state.`,
    items: { ...items, properties: Object.fromEntries(attributes) },
  }
}
