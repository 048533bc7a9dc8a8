import express from 'express-4'
import { createListener } from 'pipeline-understudy/node'
import { create } from './create.js'

export async function start() {
  const understudy = create()
  const app = express()
  app.use(createListener(understudy, { pages: 'beside' }))
  app.get('/health', (_, response) => void response.send('fine'))
  const server = app.listen(0, '127.0.0.1')
  await new Promise((resolve) => server.once('listening', resolve))
  return {
    port: server.address().port,
    understudy,
    close: () => new Promise((resolve) => server.close(resolve)),
  }
}
