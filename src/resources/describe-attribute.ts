import { notesOn } from './notes.ts'
import type { Resource } from './resource.ts'

/** The relevant properties of a JSON Schema. */
interface DescribableSchema {
  readonly description?: string
  readonly properties?: object
  readonly items?: unknown
  readonly anyOf?: readonly unknown[]
}
// Reads only these properties of a nested schema, regardless of the library that declared its type.
const asDescribable = (schema: unknown) => schema as DescribableSchema

type Described = Pick<Resource, 'plural' | 'derived'>

/** Adds the notes of a resource on an attribute to its JSON Schema and to nested schemas. */
export function describeAttribute<Schema extends DescribableSchema>(
  schema: Schema,
  resource: Described,
  path: string,
): Schema {
  const description = [notesOn(resource).attributes[path]?.[0], schema.description].filter(Boolean).join(' ')
  return { ...describeInside(schema, resource, path), ...(description !== '' && { description }) }
}

function describeInside<Schema extends DescribableSchema>(
  schema: Schema,
  resource: Described,
  path: string,
): Schema {
  const { properties, items, anyOf } = schema
  const is = resource.derived?.[path]?.is
  const [owner, itemPath] = is && 'listOf' in is ? [{ plural: is.listOf }, ''] : [resource, `${path}[]`]
  const inner = Object.entries(properties ?? {}).map(([name, property]) => [
    name,
    describeAttribute(asDescribable(property), resource, path === '' ? name : `${path}.${name}`),
  ])
  return {
    ...schema,
    // Each choice has its own description; the note describes the union.
    ...(anyOf && { anyOf: anyOf.map((choice) => describeInside(asDescribable(choice), resource, path)) }),
    ...(properties && { properties: Object.fromEntries(inner) }),
    ...(items !== undefined && { items: describeAttribute(asDescribable(items), owner, itemPath) }),
  }
}
