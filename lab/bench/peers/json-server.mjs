// json-server 0.17 at its fastest: records in memory, no log, no file written.
import jsonServer from 'json-server'
import { readRecords } from '../lib/fixtures.mjs'

const [, , port, file] = process.argv
const { pipelines, backfills } = readRecords(file)
const app = jsonServer.create()
app.use(jsonServer.defaults({ logger: false }))
app.use(
  '/api',
  jsonServer.router({
    pipelines: pipelines.map((pipeline) => ({ id: pipeline.uuid, ...pipeline })),
    backfills,
  }),
)
app.listen(Number(port), '127.0.0.1')
