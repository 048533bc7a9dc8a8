import * as z from 'zod'
import type { World } from '../../engine/worlds/world.ts'
import { instanceOf } from '../../engine/worlds/world-handle.ts'
import { planDeletion } from '../../factories/deletion.ts'
import type { Table } from '../../factories/table.ts'
import { refuseUnknown } from '../../factories/validate.ts'
import type { WireRecord } from '../../resources/resource.ts'
import { quote } from '../../shared/errors.ts'
import { hidden } from '../../shared/hidden.ts'
import { isSecretName } from '../../shared/secret-names.ts'
import { asText, ownValue } from '../../shared/values.ts'
import { type AdminInput, defineRoute } from '../define-route.ts'
import { inputProblem, Problem } from '../problem.ts'
import { record } from '../schemas.ts'

const attributes = z.looseObject({}).describe('Attributes of the resource, in wire names.')
const concerned = z.object({
  plural: z.string(),
  count: z.int(),
  keys: z.array(z.string()).describe('The keys of the first records.'),
})
const deletion = z.object({
  plural: z.string(),
  key: z.string(),
  along: z.array(concerned).describe('Other records that the deletion deletes.'),
  stays: z
    .array(concerned.extend({ attribute: z.string() }))
    .describe('Records that remain, with the attribute that the deletion clears.'),
  text: z.string().describe('A sentence with all effects.'),
})
/** Schema of the keys of the records, by resource. */
export const identity = {
  key: z.string().describe('The attribute that identifies a record.'),
  scope: z.string().nullable().describe('The attribute whose value limits the uniqueness of the key.'),
}
const keyNote =
  'The key of a record that is unique only within its parent is both, as one segment: `daily_sales%2Fload_orders`.'

/** Routes for records of any resource. They may write attributes that the API does not let clients write. */
export const recordRoutes = [
  defineRoute({
    id: 'listResources',
    route: 'GET /worlds/:world/resources',
    summary: 'Describe the resources: attributes, references, traits, operations',
    reply: {
      status: 200,
      description: 'The resources, each attribute as JSON Schema.',
      schema: z.object({ resources: z.array(z.looseObject({ plural: z.string(), key: z.string() })) }),
    },
    handle: async (_, world) => ({ resources: await world.resources() }),
  }),
  defineRoute({
    id: 'listRecords',
    route: 'GET /worlds/:world/records/:plural',
    summary: 'List the records of a resource',
    description: 'Any attribute is a filter: `?status=failed`. The value is JSON, or a text without quotes.',
    query: z.looseObject({}),
    reply: {
      status: 200,
      description: 'The records, oldest first or in the order of the resource, and their key attributes.',
      schema: z.object({
        ...identity,
        attributes: z
          .array(z.string())
          .nullable()
          .describe('The attributes of its records; null if they may have any.'),
        records: z.array(record),
      }),
    },
    handle(_, world, { parameters, query }) {
      const table = tableOf(world, parameters)
      const { key, scope = null } = table.resource
      return { key, scope, attributes: table.attributes ?? null, records: filterRecords(table, query) }
    },
  }),
  defineRoute({
    id: 'createRecord',
    route: 'POST /worlds/:world/records/:plural',
    summary: 'Create a record',
    body: attributes,
    reply: { status: 201, description: 'The record.', schema: record },
    handle(_, world, { parameters, body }) {
      const table = tableOf(world, parameters)
      refuseUnknown(table.resource, body, 'create')
      return table.insert(structuredClone(body))
    },
  }),
  defineRoute({
    id: 'readRecord',
    route: 'GET /worlds/:world/records/:plural/:key',
    summary: 'Read a record',
    description: keyNote,
    reply: { status: 200, description: 'The record.', schema: record },
    handle: (_, world, input) => find(world, input).record,
  }),
  defineRoute({
    id: 'updateRecord',
    route: 'PATCH /worlds/:world/records/:plural/:key',
    summary: 'Update attributes of a record',
    description: keyNote,
    body: attributes,
    reply: { status: 200, description: 'The updated record.', schema: record },
    handle(_, world, input) {
      const { table, record } = find(world, input)
      refuseUnknown(table.resource, input.body, 'update')
      return table.change(record, structuredClone(input.body))
    },
  }),
  defineRoute({
    id: 'readDeletion',
    route: 'GET /worlds/:world/records/:plural/:key/deletion',
    summary: 'Preview the effects of deleting a record',
    description: keyNote,
    reply: {
      status: 200,
      description: 'The affected records. The request deletes nothing.',
      schema: deletion,
    },
    handle(_, world, input) {
      const { table, record } = find(world, input)
      return planDeletion(table, record)
    },
  }),
  defineRoute({
    id: 'deleteRecord',
    route: 'DELETE /worlds/:world/records/:plural/:key',
    summary: 'Delete a record and those that belong to it',
    description: keyNote,
    handle(_, world, input) {
      const { table, record } = find(world, input)
      return table.remove(record)
    },
  }),
]

type AtPath<Parameter extends string> = AdminInput<unknown, unknown, Parameter>

export function tableOf(world: World, { plural }: AtPath<'plural'>['parameters']): Table {
  return instanceOf(world).currentModel.table(plural)
}

function filterRecords(table: Table, query: Readonly<Record<string, unknown>>): readonly WireRecord[] {
  const filters = Object.entries(query)
  for (const [name] of filters) {
    if (table.attributes?.includes(name) ?? true) continue
    const expected = `one of ${table.attributes?.join(', ')}`
    throw inputProblem(400, 'query', [{ path: `?${name}`, expected, found: quote(name) }])
  }
  return table
    .records()
    .filter((record) => filters.every(([name, text]) => asText(ownValue(record, name)) === text))
}

function find(world: World, { parameters }: AtPath<'plural' | 'key'>): { table: Table; record: WireRecord } {
  const table = tableOf(world, parameters)
  const record = table.get(parameters.key)
  if (record) return { table, record }
  const { singular, key, scope } = table.resource
  const name = scope === undefined ? key : `key (${scope}/${key})`
  const found = isSecretName(key) ? hidden : quote(parameters.key)
  throw new Problem(404, `No ${singular} has the ${name} ${found}.`)
}
