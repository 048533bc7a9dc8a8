import { once } from 'node:events'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { expect, it, onTestFinished } from 'vitest'
import { createUnderstudy } from '../../src/index.ts'
import { serve } from '../../src/server/serve.ts'
import { samples } from '../../tests/support/depth.ts'
import { fixture, fuzz, minimize } from '../fuzz/index.ts'

/** Serves a mock as the command does, and returns its port. */
async function openServer() {
  const understudy = createUnderstudy({ fixture, clock: 'system' })
  const { url, close } = await serve(understudy, { port: 0, grace: 0 })
  return { port: Number(new URL(url).port), close }
}

/** A faulty server: replies to requests with `force` contain a stack trace. */
async function openFaultyServer() {
  const server = createServer((request, response) => {
    const body = request.url?.includes('force') ? '    at act (/dist/engine.js:1:1)' : 'No pipeline.'
    request.resume().on('end', () => {
      response.setHeader('content-type', 'application/json')
      response.end(
        JSON.stringify({ error: { code: 404, message: `\n${body}`, type: 'record_not_found' }, status: 200 }),
      )
    })
  })
  await once(server.listen(0, '127.0.0.1'), 'listening')
  const close = async () => void server.close().closeAllConnections()
  return { port: (server.address() as AddressInfo).port, close }
}

const requests = samples(2_000)

it('answers invalid requests, and the next request', async () => {
  const { port, close } = await openServer()
  onTestFinished(close)

  const { sent, findings } = await fuzz({ port, seed: 7, requests })

  expect(findings).toEqual([])
  expect(sent).toBe(requests)
  const reply = await fetch(`http://127.0.0.1:${port}/api/pipelines`)
  expect(await reply.json()).toHaveProperty('pipelines')
})

it('reports a faulty reply with a minimized request', async () => {
  const wrong = await openFaultyServer()
  onTestFinished(wrong.close)

  const { findings } = await fuzz({ port: wrong.port, seed: 7, requests })
  const lengthOf = ({ sent }: { sent: object }) => JSON.stringify(sent).length
  const [finding] = findings
    .filter(({ problems }) => problems.join().includes('/dist/engine'))
    .toSorted((one, other) => lengthOf(other) - lengthOf(one))
  const smallest = await minimize(finding!, openFaultyServer)

  expect(smallest?.problems.join(' ')).toContain('The reply shows')
  expect(smallest?.reproduction).toContain('force')
  expect(lengthOf(smallest!)).toBeLessThan(lengthOf(finding!))
})
