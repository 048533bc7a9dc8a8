import * as z from 'zod'
import { tally } from '../../factories/count-records.ts'
import { defineRoute } from '../define-route.ts'
import { checkAttribute, filterRecords, tableOf } from './records.ts'

const filters = z.looseObject({})
const filterNote = 'Any attribute is a filter, as for the list of records.'

/** Routes that count records. */
export const countRoutes = [
  defineRoute({
    id: 'countRecords',
    method: 'GET',
    path: '/worlds/:world/counts/:plural',
    summary: 'Count the records of a resource',
    description: filterNote,
    query: filters,
    reply: { status: 200, description: 'The number of records.', schema: z.object({ count: z.int() }) },
    problems: [404],
    handle(_, world, { parameters, query }) {
      return { count: filterRecords(tableOf(world, parameters), query).length }
    },
  }),
  defineRoute({
    id: 'countRecordsBy',
    method: 'GET',
    path: '/worlds/:world/counts/:plural/:attribute',
    summary: 'Count the records of a resource by the value of an attribute',
    description: filterNote,
    query: filters,
    reply: {
      status: 200,
      description: 'The number of records by value: texts unchanged, other values as JSON.',
      schema: z.object({ counts: z.record(z.string(), z.int()) }),
    },
    problems: [404],
    handle(_, world, { parameters, query }) {
      const table = tableOf(world, parameters)
      const attribute = parameters.attribute
      checkAttribute(table, attribute, 404)
      return { counts: tally(filterRecords(table, query), attribute) }
    },
  }),
]
