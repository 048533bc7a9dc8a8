import type * as z from 'zod/mini'
import { timesIn } from '../resources/attributes.ts'
import { describeAttribute } from '../resources/describe-attribute.ts'
import type { Operation, Resource } from '../resources/resource.ts'
import { required } from '../shared/values.ts'
import { pascalCase } from '../shared/words.ts'
import { orNull, type Schema, takesNull, timestampSchema, toSchema, writtenTimestamp } from './json-schema.ts'

export function referTo(name: string): Schema {
  return { $ref: `#/components/schemas/${name}` }
}

/** Prefix of a record's schema name for an action that returns a different set of attributes. */
const participles = {
  create: 'Created',
  list: 'Listed',
  detail: 'Detailed',
  update: 'Updated',
  delete: 'Deleted',
} as const

/** The schemas of records, each built once, by the name of its component. */
export class RecordSchemas {
  readonly schemas: Record<string, Schema> = {}
  readonly resources: readonly Resource[]
  /** The attributes of a schema, by its name. */
  readonly #views = new Map<string, string>()

  constructor(resources: readonly Resource[]) {
    this.resources = resources
  }

  /** The name of the schema of a record inside another record's reply. */
  nameOfDefault(plural: string): string {
    const resource = required(
      this.resources.find((candidate) => candidate.plural === plural),
      `the resource ${plural}`,
    )
    return this.#add(pascalCase(resource.singular), resource, resource.presents, [], undefined)
  }

  /** The name of the schema of the records an operation replies with. */
  nameOf(resource: Resource, operation: Operation): string {
    const added = (operation.parameters ?? []).flatMap(({ adds }) => adds?.attributes ?? [])
    const presents = operation.presents ?? resource.presents
    const isDefault = added.length === 0 && String(presents) === String(resource.presents)
    const prefix = isDefault ? '' : participles[operation.action]
    const suffix = operation.timestamps === 'seconds' ? 'InSeconds' : ''
    const name = `${prefix}${pascalCase(resource.singular)}${suffix}`
    return this.#add(name, resource, presents, added, operation)
  }

  #add(
    name: string,
    resource: Resource,
    presents: Resource['presents'],
    added: readonly string[],
    operation: Operation | undefined,
  ): string {
    const view = `${presents} ${added}`
    const shownBefore = this.#views.get(name)
    if (shownBefore === view) return name
    if (shownBefore !== undefined)
      return this.#add(
        pascalCase(required(operation, `an operation for ${name}`).id),
        resource,
        presents,
        added,
        operation,
      )
    this.#views.set(name, view)
    // Reserves the name first, so that a schema precedes those that it contains.
    this.schemas[name] = {}
    const shown = presents === 'all' ? Object.keys(resource.attributes.shape) : [...presents, ...added]
    const properties = shown.map((attribute): [string, Schema] => {
      const format = resource.formats?.[attribute] ?? operation?.timestamps ?? 'microseconds'
      const property = this.#propertyOf(resource, attribute)
      return [
        attribute,
        describeAttribute(
          resource.times.includes(attribute) ? likeNull(timestampSchema(format), property) : property,
          resource,
          attribute,
        ),
      ]
    })
    this.schemas[name] = {
      type: 'object',
      properties: Object.fromEntries(properties),
      required: presents === 'all' ? [resource.key] : [...presents],
    }
    return name
  }

  #propertyOf({ derived, attributes }: Resource, attribute: string): Schema {
    const is = derived?.[attribute]?.is ?? attributes.shape[attribute]
    if (is === undefined) return {}
    return 'listOf' in is ? { type: 'array', items: referTo(this.nameOfDefault(is.listOf)) } : toSchema(is)
  }
}

/** Returns the schema of the attributes that a client may write. */
export function writableSchema(resource: Resource, writes: z.ZodMiniObject): Schema {
  const shape: Readonly<Record<string, z.core.$ZodType>> = writes.shape
  const { required: names } = toSchema(writes)
  const times = timesIn(writes)
  const described = Object.entries(shape).map(([attribute, schema]): [string, Schema] => {
    const property = toSchema(schema)
    const written = times.includes(attribute) ? likeNull(writtenTimestamp, property) : property
    return [attribute, describeAttribute(written, resource, attribute)]
  })
  return {
    type: 'object',
    properties: Object.fromEntries(described),
    ...(names && { required: names }),
  }
}

function likeNull(time: Schema, property: Schema): Schema {
  return takesNull(property) ? orNull(time) : time
}
