// A mock server as a frontend developer writes it: Express 5, express.json(), and res.json over a Map.
// Express is the root's.
import express from '../../../node_modules/express/index.js'
import { readRecords } from '../lib/fixtures.mjs'
import { newBackfill } from './new-backfill.mjs'

const [, , port, file] = process.argv
const records = readRecords(file)
const pipelines = new Map(records.pipelines.map((pipeline) => [pipeline.uuid, pipeline]))
const backfills = new Map(records.backfills.map((backfill) => [backfill.id, backfill]))
let nextId = backfills.size + 1

const app = express()
app.use(express.json())
app.use((_, response, next) => {
  response.set('access-control-allow-origin', '*')
  next()
})
app.get('/api/pipelines/:uuid', (request, response) => {
  response.json({ pipeline: pipelines.get(request.params.uuid) })
})
app.get('/api/backfills', (request, response) => {
  const offset = Number(request.query._offset ?? 0)
  const all = [...backfills.values()]
  const page = all.slice(offset, offset + Number(request.query._limit ?? all.length))
  response.json({ backfills: page, metadata: { count: all.length, next: offset + page.length < all.length } })
})
app.post('/api/pipelines/:uuid/backfills', (request, response) => {
  const backfill = newBackfill(nextId++, request.params.uuid, request.body.backfill)
  backfills.set(backfill.id, backfill)
  response.json({ backfill })
})
app.put('/api/backfills/:id', (request, response) => {
  const backfill = backfills.get(Number(request.params.id))
  Object.assign(backfill, request.body.backfill)
  response.json({ backfill })
})
app.listen(Number(port), '127.0.0.1')
