// npm run attack [-- --only WORDS]: runs each attack against a fresh `pipeline-understudy serve`. Prints the
// results, the memory of the server, and the longest block of its event loop. Exits with 1 if an attack
// succeeds.
import { parseArgs } from 'node:util'
import { readLoop, residentMegabytes, serveProbed, temporaryFile } from './lib/processes.mjs'
import { importTypeScript } from './lib/typescript.mjs'

const { values: flags } = parseArgs({ options: { only: { type: 'string', default: '' } } })
const { attacks, createTarget, fixture } = await importTypeScript('lab/attack/index.ts')
const rows = attacks.filter(({ name }) => name.includes(flags.only))
const failures = []

for (const row of rows) {
  const problem = await run(row)
  if (problem !== undefined) failures.push(row.name)
}
console.log(failures.length === 0 ? `All ${rows.length} held.` : `FAILED: ${failures.join('; ')}`)
process.exit(failures.length === 0 ? 0 : 1)

async function run({ name, setting = {}, send, problemOf }) {
  const server = await serveProbed(flagsOf(setting))
  const target = createTarget(server.origin)
  let problem
  try {
    problem = problemOf(await send(target))
  } catch (error) {
    problem = `${error.message} ${error.cause?.message ?? ''}`
  }
  const block = server.isRunning() ? (await readLoop(server)).longest : 0
  const memory = server.isRunning() ? residentMegabytes(server.pid) : 0
  if (!server.isRunning()) problem = `the server is dead (${await server.exited}): ${server.complaints()}`
  else if (server.complaints() !== '') problem ??= `stderr: ${server.complaints().slice(0, 500)}`
  await server.stop()
  console.log(
    `${problem === undefined ? 'held  ' : 'FAILED'} ${name} (${memory.toFixed(0)} MB, loop blocked ${block.toFixed(0)} ms)${problem === undefined ? '' : `: ${problem}`}`,
  )
  return problem
}

/** Returns the flags of a setting; reads fixture and faults from files. */
function flagsOf({
  auth = 'open',
  clock = 'system',
  worlds,
  maxMemory,
  profile,
  faults,
  fixture: own = fixture,
}) {
  const values = {
    auth,
    clock,
    fixture: temporaryFile('fixture.json', own),
    profile,
    'max-worlds': worlds,
    'max-memory': maxMemory,
    fault: faults && temporaryFile('faults.json', faults),
  }
  return Object.entries(values).flatMap(([name, value]) =>
    value === undefined ? [] : [`--${name}`, String(value)],
  )
}
