import express from 'express'
import { createUnderstudy } from 'pipeline-understudy'
import { createApp } from 'pipeline-understudy/express'
import request from 'supertest'
import { expect, it } from 'vitest'

const understudy = createUnderstudy({ fixture: { pipelines: [{ name: 'sales' }] } })

it('answers under supertest', async () => {
  const app = createApp(understudy)
  const created = await request(app)
    .post('/api/pipelines')
    .send({ pipeline: { name: 'mine', type: 'python' } })
  const elsewhere = await request(app).get('/elsewhere')

  expect(created.body.pipeline.uuid).toBe('mine')
  expect(elsewhere.status).toBe(404)
})

it('answers inside an application that has read the body before', async () => {
  const app = express()
  app.use(express.json())
  app.get('/health', (_, response) => response.json({ up: true }))
  app.use(createApp(understudy, { admin: true }))
  const created = await request(app)
    .post('/api/pipelines')
    .send({ pipeline: { name: 'nested', type: 'python' } })
  const health = await request(app).get('/health')
  const worlds = await request(app).get('/__understudy__/api/worlds')

  expect(created.body.pipeline.uuid).toBe('nested')
  expect(health.body).toEqual({ up: true })
  expect(worlds.body.worlds[0].name).toBe('main')
})

it('answers under a path', async () => {
  const app = express()
  app.use('/backend', createApp(understudy))

  expect((await request(app).get('/backend/api/pipelines/sales')).body.pipeline.uuid).toBe('sales')
})
