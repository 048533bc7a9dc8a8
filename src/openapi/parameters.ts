import type { oas31 } from 'openapi3-ts'
import { commonParameters, notesOn } from '../resources/notes.ts'
import type { QueryParameter, Resource, Route } from '../resources/resource.ts'
import { toWords } from '../shared/words.ts'
import { type Schema, toSchema } from './json-schema.ts'

export function pathParameters(resources: readonly Resource[], { path }: Route): oas31.ParameterObject[] {
  const segments = path.split('/')
  return segments.flatMap((segment, index) => {
    if (!segment.startsWith(':')) return []
    const name = segment.slice(1)
    const [owner, attribute] = meaningOf(resources, segments.slice(0, index), name)
    if (owner === undefined)
      return { name, in: 'path' as const, required: true, schema: { type: 'string' as const } }
    const isKey = attribute === owner.key
    const schema = owner.attributes.shape[attribute]
    const [note = '', example] = notesOn(owner).attributes[attribute] ?? []
    return {
      name,
      in: 'path' as const,
      required: true,
      description: isKey ? `Which ${toWords(owner.singular)}: its ${attribute}.` : note,
      schema: schema === undefined ? {} : toSchema(schema),
      ...(example !== undefined && { example }),
    }
  })
}

/** Returns the resource and attribute of a path parameter: a key, or an attribute of a preceding resource. */
export function meaningOf(
  resources: readonly Resource[],
  before: readonly string[],
  name: string,
): [owner: Resource | undefined, attribute: string] {
  const owners = before
    .toReversed()
    .map((plural) => resources.find((candidate) => candidate.plural === plural))
    .filter((owner) => owner !== undefined)
  const [nearest] = owners
  if (nearest && ['key', nearest.key, `${nearest.singular}_${nearest.key}`].includes(name)) {
    return [nearest, nearest.key]
  }
  return [owners.find(({ attributes }) => name in attributes.shape), name]
}

export function queryParameter(resource: Resource, parameter: QueryParameter): oas31.ParameterObject {
  const { name, filter } = parameter
  const [note = '', shown] = notesOn(resource).parameters?.[name] ?? commonParameters[name] ?? []
  const { description = note, example = shown } = parameter
  const isList = filter?.match === 'any'
  const value = isList && example !== undefined ? [example] : example
  return {
    name,
    in: 'query',
    description,
    required: false,
    ...(isList && { style: 'form' as const, explode: true }),
    schema: isList ? { type: 'array', items: valueSchema(parameter) } : valueSchema(parameter),
    ...(value !== undefined && { example: value }),
  }
}

function valueSchema({ type, allowed }: QueryParameter): Schema {
  if (type === 'integer') return { type, minimum: 0 }
  const spellings: Schema = { type: 'string', ...(allowed && { enum: [...allowed] }) }
  if (type === 'string') return spellings
  return {
    anyOf: [
      { type },
      { ...spellings, description: 'How a boolean may be spelled; empty means it is not set.' },
    ],
  }
}
