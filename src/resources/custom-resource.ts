import * as z from 'zod/mini'
import { pascalCase } from '../shared/words.ts'
import { id, nonEmptyText } from './attributes.ts'
import { type Action, type Method, paging, type Resource } from './resource.ts'
import { singularOf } from './singular-of.ts'

const titles: readonly [action: Action, id: string, method: Method, path: string][] = [
  ['list', 'list', 'GET', ''],
  ['detail', 'read', 'GET', '/:key'],
  ['create', 'create', 'POST', ''],
  ['update', 'update', 'PUT', '/:key'],
  ['delete', 'delete', 'DELETE', '/:key'],
]

/**
 * Defines a resource that a fixture added: the five generic operations of the specification's conventions
 * (rule 4), with any attributes. Its key is `uuid` if its records have one, otherwise `id`.
 *
 * @example
 * defineCustomResource('projects', 'id')
 */
export function defineCustomResource(plural: string, key: 'id' | 'uuid'): Resource {
  const singular = singularOf(plural)
  const keySchema = key === 'id' ? id : nonEmptyText
  const attributes: z.ZodMiniObject = z.looseObject({ [key]: keySchema })
  const changed: z.ZodMiniObject = z.looseObject({ [key]: z.optional(keySchema) })
  const operations = titles.map(([action, verb, method, path]) => {
    const noun = pascalCase(action === 'list' ? plural : singular)
    return {
      plural,
      id: `${verb}${noun}`,
      action,
      routes: [{ method, path: `/api/${plural}${path}`, basis: 'custom' as const }],
      ...(action === 'list' ? { parameters: paging } : {}),
      ...(action === 'create' ? { writes: key === 'id' ? changed : attributes } : {}),
      ...(action === 'update' ? { writes: changed } : {}),
    }
  })
  return { singular, plural, key, attributes, times: [], presents: 'all', operations }
}
