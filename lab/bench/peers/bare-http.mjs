// The floor: node:http alone. Reads are texts made beforehand; a write parses JSON and writes a record as JSON.
import { readFileSync } from 'node:fs'
import { createServer } from 'node:http'
import { putBackfill } from '../lib/workloads.mjs'

const replies = JSON.parse(readFileSync(process.argv[2], 'utf8'))
const { backfill: stored } = JSON.parse(replies[putBackfill.path])
const headers = { 'content-type': 'application/json', 'access-control-allow-origin': '*' }
let nextId = 1_001

const send = (response, text) => {
  response.writeHead(200, { ...headers, 'content-length': Buffer.byteLength(text) })
  response.end(text)
}

const server = createServer((request, response) => {
  if (request.method === 'GET') {
    send(response, replies[request.url])
    return
  }
  const chunks = []
  request.on('data', (chunk) => chunks.push(chunk))
  request.on('end', () => {
    const { backfill } = JSON.parse(Buffer.concat(chunks).toString())
    const id = request.method === 'POST' ? nextId++ : stored.id
    const updated_at = new Date().toISOString().slice(0, 19).replace('T', ' ')
    send(response, JSON.stringify({ backfill: { ...stored, ...backfill, id, updated_at } }))
  })
})
server.listen(0, '127.0.0.1', () => console.log(`http://127.0.0.1:${server.address().port}`))
