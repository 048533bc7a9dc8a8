// Runs in a process of its own: serves the transpiled sources and reports which own functions run for one request.
import { once } from 'node:events'
import { readFileSync, writeFileSync } from 'node:fs'
import { Agent, request } from 'node:http'
import { Session } from 'node:inspector/promises'
import { connect } from 'node:net'
import { join } from 'node:path'
import { setTimeout } from 'node:timers/promises'
import { pathToFileURL } from 'node:url'
import { freePort } from '../lib/processes.mjs'

const [, , folder, presenter] = process.argv
const own = pathToFileURL(join(folder, '/')).href
Error.stackTraceLimit = Infinity
recordStacks(join(folder, presenter))

const port = await freePort()
process.argv = [process.execPath, 'understudy', 'serve', '--port', String(port), '--quiet']
await import(`${own}src/cli/main.js`)
await listening(port)
const fixture = JSON.parse(readFileSync(join(folder, 'fixtures/demo.json'), 'utf8'))
const agent = new Agent({ keepAlive: true, maxSockets: 1 })
const session = new Session()
session.connect()
await session.post('Profiler.enable')
await session.post('Profiler.startPreciseCoverage', { callCount: true, detailed: false })

const schedule = fixture.pipeline_schedules.find(({ schedule_type: type }) => type === 'api')
const results = {
  get: await trace({ method: 'GET', path: `/api/pipelines/${fixture.pipelines[0].uuid}` }),
  trigger: await trace({
    method: 'POST',
    path: `/api/pipeline_schedules/${schedule.id}/pipeline_runs/${schedule.token}`,
    body: { pipeline_run: { variables: { region: 'north' } } },
  }),
}
writeFileSync(join(folder, 'trace.json'), JSON.stringify(results))
process.exit()

async function listening(port) {
  const timeout = AbortSignal.timeout(20_000)
  while (!timeout.aborted) {
    const socket = connect(port, '127.0.0.1')
    const isOpen = await once(socket, 'connect').then(
      () => true,
      () => false,
    )
    socket.destroy()
    if (isOpen) return
    await setTimeout(20)
  }
  throw new Error(`Nothing listens on port ${port}.`)
}

/** Changes each function of the presenter to record its call stack. */
function recordStacks(file) {
  const code = readFileSync(file, 'utf8')
  const recorded = code.replaceAll(
    /^(?:export )?function\*? \w+\((?:[^()]|\([^()]*\))*\) \{$/gm,
    (head) => `${head}\n  globalThis.stackOfPresenter ??= new Error().stack;`,
  )
  if (recorded === code) throw new Error(`No function found in ${file}.`)
  writeFileSync(file, recorded)
}

async function trace({ method, path, body }) {
  for (let round = 0; round < 20; round += 1) await send(method, path, body)
  await session.post('Profiler.takePreciseCoverage')
  globalThis.stackOfPresenter = undefined
  await send(method, path, body)
  const { result } = await session.post('Profiler.takePreciseCoverage')
  const functions = result
    .filter(({ url }) => url.startsWith(own))
    .flatMap(({ url, functions }) =>
      functions
        .filter(({ functionName, ranges }) => ranges[0].count > 0 && !isModule(functionName, ranges))
        .map(({ functionName, ranges }) => ({
          file: url.slice(own.length),
          name: functionName,
          calls: ranges[0].count,
        })),
    )
  const frames = (globalThis.stackOfPresenter ?? '')
    .split('\n')
    .filter((line) => line.includes(own))
    .map((line) => line.trim().replaceAll(own, ''))
  return { functions, files: [...new Set(functions.map(({ file }) => file))].sort(), frames }
}

/** The body of a module, which V8 reports as a function without a name. */
function isModule(name, ranges) {
  return name === '' && ranges[0].startOffset === 0
}

function send(method, path, body) {
  return new Promise((resolve, reject) => {
    const text = body && JSON.stringify(body)
    const headers = { 'Content-Type': 'application/json', 'Content-Length': Buffer.byteLength(text ?? '') }
    const sent = request(
      { agent, host: '127.0.0.1', port, method, path, headers: text ? headers : {} },
      (reply) => {
        if (reply.statusCode !== 200) reject(new Error(`${method} ${path}: ${reply.statusCode}`))
        reply.resume().on('end', () => resolve(setTimeout(20)))
      },
    )
    sent.on('error', reject)
    sent.end(text)
  })
}
