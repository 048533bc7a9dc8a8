import { execFile } from 'node:child_process'
import { Agent, get } from 'node:http'
import { promisify } from 'node:util'
import { expect, it as itInParts, vi } from 'vitest'
import { firstOf, wholly } from './support/depth.ts'
import { root } from './support/root.ts'
import { serveBuilt } from './support/serve-built.ts'

const it = wholly(itInParts)

const run = promisify(execFile)

it('answers what is in flight on SIGTERM under load, loses none that it has begun, and ends with 0', async () => {
  const { url, child, exited } = await serveBuilt(['--fixture', 'demo'])
  const agent = new Agent({ keepAlive: true, maxSockets: 16 })
  const outcomes = { whole: 0, refused: 0, cut: 0 }
  let isEnding = false
  const send = () =>
    new Promise<void>((resolve) => {
      const sent = get(`${url}/api/pipelines`, { agent }, async (response) => {
        let text = ''
        for await (const chunk of response.setEncoding('utf8')) text += chunk
        outcomes[text.endsWith('"next":false}}') ? 'whole' : 'cut'] += 1
        resolve()
      })
      sent.on('error', (error: NodeJS.ErrnoException) => {
        // A request that reaches a socket just as it closes was never begun.
        outcomes[isEnding && ['ECONNREFUSED', 'ECONNRESET'].includes(error.code ?? '') ? 'refused' : 'cut'] +=
          1
        resolve()
      })
    })
  const loops = Array.from({ length: 16 }, async () => {
    while (outcomes.refused < 16) await send()
  })
  // By then each connection was served more than once.
  await vi.waitUntil(() => outcomes.whole >= 64, { timeout: 20_000, interval: 5 })
  isEnding = true
  const start = Date.now()
  child.kill('SIGTERM')
  const [code] = await exited
  const milliseconds = Date.now() - start
  await Promise.all(loops)
  agent.destroy()

  expect(code).toBe(0)
  expect(milliseconds).toBeLessThan(20_000)
  expect(outcomes.cut).toBe(0)
  expect(outcomes.whole).toBeGreaterThan(16)
})

it('leaves no timer and no socket behind dispose and close: the process ends by itself', async () => {
  const script = `
    import { createUnderstudy } from 'pipeline-understudy'
    import { createHandlers } from 'pipeline-understudy/msw'
    import { createApp } from 'pipeline-understudy/express'
    import { setupServer } from 'msw/node'
    import { connect } from 'node:net'
    const understudy = createUnderstudy({ faults: [{ path: '/api/pipelines', latency: '1h' }, { path: '/api/backfills', hang: true }] })
    const ends = []
    const send = (fetched) => ends.push(fetched.then(() => 'answered', () => 'closed'))
    const http = createApp(understudy).listen(0, '127.0.0.1')
    await new Promise((resolve) => http.once('listening', resolve))
    for (const path of ['pipelines', 'backfills']) {
      send(understudy.fetch(new Request('http://x.test/api/' + path)))
      send(fetch('http://127.0.0.1:' + http.address().port + '/api/' + path))
    }
    await new Promise((resolve) => setTimeout(resolve, 100))
    const worker = setupServer(...createHandlers(understudy))
    worker.listen()
    for (const path of ['pipelines', 'backfills']) send(fetch('http://y.test/api/' + path))
    await new Promise((resolve) => setTimeout(resolve, 100))
    understudy.dispose()
    http.close()
    process.stdout.write(JSON.stringify(await Promise.all(ends)))
    worker.close()`
  const { stdout } = await run('node', ['--input-type=module', '-e', script], { cwd: root, timeout: 20_000 })

  expect(JSON.parse(stdout)).toEqual(Array(6).fill('closed'))
})

itInParts.each(
  firstOf(1, [
    [
      'a test has put the clock of its process aside',
      'Object.assign((run) => void stored.push(run), { clock: {} })',
    ],
    ['there is no setImmediate, as in jsdom', 'undefined'],
  ] as const),
)('answers where %s before it loads the server', async (_, setImmediate) => {
  const script = `
    const stored = []
    globalThis.setImmediate = ${setImmediate}
    const { createUnderstudy } = await import('pipeline-understudy')
    const { serve } = await import('pipeline-understudy/node')
    const { url } = await serve(createUnderstudy(), { port: 0 })
    const reply = await fetch(url + '/api/pipelines')
    process.stdout.write(await reply.text())
    process.exit()`
  const { stdout } = await run('node', ['--input-type=module', '-e', script], { cwd: root, timeout: 20_000 })

  expect(stdout).toBe('{"pipelines":[],"metadata":{"count":0,"next":false}}')
})
