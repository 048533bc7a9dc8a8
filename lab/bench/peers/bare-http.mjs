// The floor: node:http alone. Reads are strings made beforehand; a write parses JSON and writes a record as JSON.
import { createServer } from 'node:http'
import { readRecords } from '../lib/fixtures.mjs'
import { page, pipeline, putBackfill } from '../lib/workloads.mjs'

const [, , port, file] = process.argv
const { pipelines, backfills } = readRecords(file)
const headers = { 'content-type': 'application/json', 'access-control-allow-origin': '*' }
const texts = new Map([
  [
    pipeline.path,
    JSON.stringify({ pipeline: pipelines.find(({ uuid }) => pipeline.path.endsWith(`/${uuid}`)) }),
  ],
  [
    page.path,
    JSON.stringify({
      backfills: backfills.slice(100, 120),
      metadata: { count: backfills.length, next: true },
    }),
  ],
])
const updated = backfills.find(({ id }) => putBackfill.path.endsWith(`/${id}`))
let nextId = backfills.length + 1

const send = (response, text) => {
  response.writeHead(200, { ...headers, 'content-length': Buffer.byteLength(text) })
  response.end(text)
}

createServer((request, response) => {
  if (request.method === 'GET') {
    send(response, texts.get(request.url))
    return
  }
  const chunks = []
  request.on('data', (chunk) => chunks.push(chunk))
  request.on('end', () => {
    const { backfill } = JSON.parse(Buffer.concat(chunks).toString())
    const record =
      request.method === 'POST'
        ? newBackfill(nextId++, request.url.split('/')[3], backfill)
        : { ...updated, ...backfill }
    send(response, JSON.stringify({ backfill: record }))
  })
}).listen(Number(port), '127.0.0.1')

function newBackfill(id, pipelineUuid, written) {
  const now = new Date().toISOString().slice(0, 19).replace('T', ' ')
  return {
    id,
    pipeline_uuid: pipelineUuid,
    pipeline_schedule_id: null,
    block_uuid: null,
    ...written,
    status: null,
    metrics: null,
    created_at: now,
    updated_at: now,
    started_at: null,
    completed_at: null,
    failed_at: null,
  }
}
