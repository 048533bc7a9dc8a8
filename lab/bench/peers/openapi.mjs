import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { readRecords } from '../lib/fixtures.mjs'

/** Writes the OpenAPI document that Prism mocks: four operations, each with the example it is to answer with. */
export function writeOpenapi(folder, records) {
  const { pipelines, backfills } = readRecords(records)
  const file = join(folder, 'openapi.json')
  const pipeline = pipelines.find(({ uuid }) => uuid === 'pipeline_250')
  const page = { backfills: backfills.slice(100, 120), metadata: { count: backfills.length, next: true } }
  const [backfill] = backfills
  const document = {
    openapi: '3.0.3',
    info: { title: 'What Prism mocks', version: '1' },
    paths: {
      '/api/pipelines/{uuid}': {
        get: { parameters: [inPath('uuid')], responses: answers('pipeline', { pipeline }) },
      },
      '/api/backfills': {
        get: { parameters: [inQuery('_limit'), inQuery('_offset')], responses: answers('page', page) },
      },
      '/api/backfills/{id}': {
        put: { parameters: [inPath('id')], requestBody, responses: answers('backfill', { backfill }) },
      },
      '/api/pipelines/{uuid}/backfills': {
        post: { parameters: [inPath('uuid')], requestBody, responses: answers('backfill', { backfill }) },
      },
    },
  }
  writeFileSync(file, JSON.stringify(document))
  return file
}

const inPath = (name) => ({ name, in: 'path', required: true, schema: { type: 'string' } })
const inQuery = (name) => ({ name, in: 'query', schema: { type: 'integer', minimum: 0 } })

const requestBody = {
  content: {
    'application/json': {
      schema: {
        type: 'object',
        required: ['backfill'],
        properties: {
          backfill: {
            type: 'object',
            required: ['name'],
            properties: {
              name: { type: 'string' },
              status: { type: 'string' },
              interval_units: { type: 'integer' },
            },
          },
        },
      },
    },
  },
}

function answers(name, value) {
  return {
    200: {
      description: 'The only answer.',
      content: { 'application/json': { schema: { type: 'object' }, examples: { [name]: { value } } } },
    },
  }
}
