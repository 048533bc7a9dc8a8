// Runs in a separate process: serves the transpiled sources and reports the own functions that run for one request.
import { readFileSync, writeFileSync } from 'node:fs'
import { Session } from 'node:inspector/promises'
import { join } from 'node:path'
import { setTimeout } from 'node:timers/promises'
import { pathToFileURL } from 'node:url'
import { freePort } from '../lib/processes.mjs'

const [, , folder] = process.argv
const own = pathToFileURL(join(folder, '/')).href
Error.stackTraceLimit = Infinity
recordStacks(join(folder, 'src/engine/presenter.js'))

const port = await freePort()
const origin = `http://127.0.0.1:${port}`
process.argv = [process.execPath, 'understudy', 'serve', '--port', String(port), '--quiet']
await import(`${own}src/cli/main.js`)
while (!(await isListening())) await setTimeout(20)
const fixture = JSON.parse(readFileSync(join(folder, 'fixtures/demo.json'), 'utf8'))
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

function isListening() {
  return fetch(origin).then(
    () => true,
    () => false,
  )
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

async function send(method, path, body) {
  const headers = { 'Content-Type': 'application/json' }
  const reply = await fetch(`${origin}${path}`, body ? { method, headers, body: JSON.stringify(body) } : {})
  if (reply.status !== 200) throw new Error(`${method} ${path}: ${reply.status}`)
  await reply.text()
  // The server has work to do after its reply.
  await setTimeout(20)
}
