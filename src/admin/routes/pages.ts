import * as z from 'zod'
import { newestOf, pageOf, spreadOf } from '../../factories/page-records.ts'
import type { WireRecord } from '../../resources/resource.ts'
import { parseJson } from '../../shared/json.ts'
import * as limits from '../../shared/limits.ts'
import { findNonJson } from '../../shared/non-json.ts'
import { defineRoute } from '../define-route.ts'
import { flag, record, wholeNumber } from '../schemas.ts'
import { identity, tableOf } from './records.ts'

const where = z
  .string()
  .transform((text, context): WireRecord => {
    try {
      const values = parseJson(text)
      if (findNonJson(values) === undefined) return z.record(z.string(), z.unknown()).parse(values)
    } catch {
      // See the response below.
    }
    context.addIssue({ code: 'custom', message: 'a JSON object' })
    return z.NEVER
  })
  .exactOptional()
  .describe('Values of the records, as a JSON object: `{"status":"failed"}`.')
const rows = {
  where,
  search: z
    .string()
    .max(limits.search)
    .exactOptional()
    .describe('Search terms: `status:failed took:>1h any text`. Records must match all of them.'),
  orderBy: z
    .string()
    .transform((text): Record<string, 'asc' | 'desc'> => {
      const names = text.split(',').filter((name) => name !== '')
      return Object.fromEntries(
        names.map((name) => (name.startsWith('-') ? [name.slice(1), 'desc'] : [name, 'asc'])),
      )
    })
    .exactOptional()
    .describe('Attributes, with `-` for descending: `status,-id`. Records without a value are last.'),
  reverse: flag.exactOptional().describe('Starts with the last record.'),
}

export const pageRoutes = [
  defineRoute({
    id: 'pageRecords',
    route: 'GET /worlds/:world/pages/:plural',
    summary: 'Read a page of the records of a resource, filtered and sorted',
    query: z.strictObject({
      ...rows,
      offset: wholeNumber.exactOptional().describe('Number of skipped records. Default 0.'),
      limit: wholeNumber.exactOptional().describe('Maximum number of records: default 50, up to 1,000.'),
    }),
    reply: {
      status: 200,
      description: 'The records, and the total number of matching records.',
      schema: z.object({ ...identity, records: z.array(record), count: z.int() }),
    },
    handle(_, world, { parameters, query }) {
      const table = tableOf(world, parameters)
      const { key, scope = null } = table.resource
      return { key, scope, ...pageOf(table, query) }
    },
  }),
  defineRoute({
    id: 'spreadRecords',
    route: 'GET /worlds/:world/pages/:plural/spread/:attribute',
    summary: 'Read the distribution of the values of an attribute over the records of a resource',
    query: z.strictObject({
      ...rows,
      parts: wholeNumber.exactOptional().describe('Number of parts: default 100, up to 1,000.'),
    }),
    reply: {
      status: 200,
      description: 'For each part, the number of records by value.',
      schema: z.object({ spread: z.array(z.record(z.string(), z.int())) }),
    },
    handle(_, world, { parameters, query }) {
      return { spread: spreadOf(tableOf(world, parameters), parameters.attribute, query) }
    },
  }),
  defineRoute({
    id: 'newestRecords',
    route: 'GET /worlds/:world/pages/:plural/newest/:attribute',
    summary: 'Read the newest records of each value of an attribute',
    query: z.strictObject({
      where,
      limit: wholeNumber.exactOptional().describe('Maximum number for each value: default 1, up to 1,000.'),
    }),
    reply: {
      status: 200,
      description: 'The records by value, oldest first, at most 20,000.',
      schema: z.object({ newest: z.record(z.string(), z.array(record)) }),
    },
    handle(_, world, { parameters, query }) {
      return { newest: newestOf(tableOf(world, parameters), parameters.attribute, query) }
    },
  }),
]
