import { once } from 'node:events'
import { connect } from 'node:net'
import express from 'express'
import request from 'supertest'
import { expect, it } from 'vitest'
import { createUnderstudy } from '../src/index.ts'
import { createApp } from '../src/server/create-app.ts'
import { express as expressAdapter } from './support/adapters.ts'
import { open } from './support/api.ts'
import { company } from './support/company.ts'

const options = { fixture: company }

async function overSocket(port: number, text: string): Promise<string> {
  const socket = connect(port, '127.0.0.1')
  let received = ''
  socket.on('data', (chunk: Buffer) => {
    received += chunk.toString('utf8')
  })
  socket.on('error', () => undefined)
  await once(socket, 'connect')
  socket.end(text)
  if (!socket.closed) await once(socket, 'close')
  return received
}

it('answers a request line with a whole URL as a proxy sends it', async () => {
  const api = await open(expressAdapter, options)
  const answer = await overSocket(
    api.port,
    'GET http://pipelines.example.com/api/pipelines/archive HTTP/1.1\r\nHost: a\r\nConnection: close\r\n\r\n',
  )

  expect(answer).toContain('"uuid":"archive"')
})

it('joins the halves of a character that two chunks share', async () => {
  const api = await open(expressAdapter, options)
  const socket = connect(api.port, '127.0.0.1')
  const body = Buffer.from('{"pipeline":{"name":"ä","type":"python"}}')
  const cut = body.indexOf(0xc3) + 1
  let received = ''
  socket.on('data', (chunk: Buffer) => {
    received += chunk.toString('utf8')
  })
  await once(socket, 'connect')
  socket.write(
    `POST /api/pipelines HTTP/1.1\r\nHost: a\r\nConnection: close\r\nContent-Length: ${body.length}\r\n\r\n`,
  )
  socket.write(body.subarray(0, cut))
  await new Promise((resolve) => setTimeout(resolve, 20))
  socket.write(body.subarray(cut))
  await once(socket, 'close')

  expect(received).toContain('"uuid":"ä"')
})

it.each(['/apiary', '/api-docs', '/API/pipelines', '//api/pipelines', '/other/api/pipelines', '/'])(
  'leaves %s and its body to the application it is mounted in',
  async (path) => {
    const app = express()
    app.use(createApp(createUnderstudy(options)))
    app.use(express.json())
    app.use((incoming, response) => {
      response.status(418).json({ received: incoming.body as unknown })
    })
    const reply = await request(app).post(path).send({ own: true }).timeout(2_000)

    expect(reply.status).toBe(418)
    expect(reply.body).toEqual({ received: { own: true } })
  },
)

it.each([
  ['JSON', express.json()],
  ['bytes', express.raw({ type: '*/*' })],
])('answers behind a parser that has read the body as %s', async (_, parser) => {
  const app = express()
  app.use(parser)
  app.use(createApp(createUnderstudy(options)))
  const reply = await request(app)
    .post('/api/pipelines')
    .send({ pipeline: { name: 'x', type: 'python' } })

  expect(reply.body).toMatchObject({ pipeline: { uuid: 'x' } })
})

it('answers behind a body parser that found no body', async () => {
  const app = express()
  app.use(express.json())
  app.use(createApp(createUnderstudy(options)))
  const reply = await request(app).post('/api/pipeline_schedules/2/pipeline_runs/hand-token')

  expect(reply.body).toMatchObject({ pipeline_run: { event_variables: {} } })
})

it('answers below a mount path', async () => {
  const app = express()
  app.use('/backend', createApp(createUnderstudy(options)))

  expect((await request(app).get('/backend/api/pipelines/archive')).body).toMatchObject({
    pipeline: { uuid: 'archive' },
  })
  expect((await request(app).get('/backend/api/nothing')).body).toMatchObject({
    error: { code: 404 },
    status: 200,
  })
})
