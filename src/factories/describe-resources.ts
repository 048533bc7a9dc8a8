import { toJSONSchema } from 'zod/v4/core'
import { describeAttribute } from '../resources/describe-attribute.ts'
import { titleOf } from '../resources/notes.ts'
import type { Method, Resource } from '../resources/resource.ts'
import { traitsOf } from '../resources/traits.ts'
import { required } from '../shared/values.ts'

/** An operation of a resource, with the path that reaches it. */
export interface OperationDescription {
  readonly id: string
  readonly title: string
  readonly method: Method
  /** Path with parameters as `:name`. */
  readonly path: string
}

/** Description of a resource, for generic tools that show or edit its records. */
export interface ResourceDescription {
  readonly plural: string
  readonly singular: string
  /** The attribute that identifies a record. */
  readonly key: string
  /** The attribute within whose value the key is unique; `null` if the key is unique by itself. */
  readonly scope: string | null
  /** True if the model stores records of the resource. */
  readonly isStored: boolean
  /** True if its records may have any attribute. */
  readonly isOpen: boolean
  /** The JSON Schema of each attribute, in the order of the resource. */
  readonly attributes: Readonly<Record<string, object>>
  /** The plural that an attribute refers to. */
  readonly references: Readonly<Record<string, string>>
  /** The names of its factory's traits. */
  readonly traits: readonly string[]
  readonly operations: readonly OperationDescription[]
}

/** Describes resources as JSON data. */
export function describeResources(resources: readonly Resource[]): ResourceDescription[] {
  return resources.map((resource) => {
    const { plural, singular, key, scope = null, stored, presents, references = {} } = resource
    return {
      plural,
      singular,
      key,
      scope,
      isStored: stored !== false,
      isOpen: presents === 'all',
      attributes: describeAttributes(resource),
      references: Object.fromEntries(Object.entries(references).map(([name, to]) => [name, to.plural])),
      traits: Object.keys(traitsOf(resource)),
      operations: resource.operations.map((operation) => {
        const { method, path } = required(operation.routes[0], `a route of ${operation.id}`)
        return { id: operation.id, title: titleOf(resource, operation), method, path }
      }),
    }
  })
}

function describeAttributes(resource: Resource): Record<string, object> {
  const { properties = {} } = toJSONSchema(resource.attributes, { io: 'input' })
  return Object.fromEntries(
    Object.entries(properties).map(([name, schema]) => [
      name,
      describeAttribute(typeof schema === 'object' ? schema : {}, resource, name),
    ]),
  )
}
