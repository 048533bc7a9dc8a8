// npm run attack [-- --only WORDS]: runs each attack against a fresh `pipeline-understudy serve`. Prints the
// results, the memory of the server, the longest block of its event loop, and the longest time without a
// reply. Exits with 1 if an attack succeeds.
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { parseArgs } from 'node:util'
import { readLoop, residentMegabytes, serveProbed, temporaryFolder } from './lib/processes.mjs'
import { importTypeScript } from './lib/typescript.mjs'

const { values: flags } = parseArgs({ options: { only: { type: 'string', default: '' } } })
const { attacks, createTarget, fixture } = await importTypeScript('lab/attack/index.ts')
const folder = temporaryFolder('attack')
const rows = attacks.filter(({ name }) => name.includes(flags.only))
const failures = []

for (const row of rows) {
  const flaw = await run(row)
  if (flaw !== undefined) failures.push(row.name)
}
console.log(failures.length === 0 ? `All ${rows.length} held.` : `FAILED: ${failures.join('; ')}`)
process.exit(failures.length === 0 ? 0 : 1)

async function run({ name, setting = {}, send, holds }) {
  const server = await serveProbed(flagsOf(setting))
  const target = createTarget(server.origin)
  const watch = watchTurns(target)
  let flaw
  try {
    flaw = holds(await send(target))
  } catch (error) {
    flaw = `${error.message} ${error.cause?.message ?? ''}`
  }
  const longest = await watch.stop()
  const block = server.isRunning() ? (await readLoop(server)).longest : 0
  const memory = server.isRunning() ? residentMegabytes(server.pid) : 0
  if (!server.isRunning()) flaw = `the server is dead (${await server.exited}): ${server.complaints()}`
  else if (server.complaints() !== '') flaw ??= `stderr: ${server.complaints().slice(0, 500)}`
  await server.stop()
  console.log(
    `${flaw === undefined ? 'held  ' : 'FAILED'} ${name} (${memory.toFixed(0)} MB, loop blocked ${block.toFixed(0)} ms, others waited ${longest.toFixed(0)} ms)${flaw === undefined ? '' : `: ${flaw}`}`,
  )
  return flaw
}

/** Returns the flags of a setting; fixture and faults are read from files. */
function flagsOf({
  auth = 'open',
  clock = 'system',
  worlds,
  maxMemory,
  profile,
  faults,
  fixture: own = fixture,
}) {
  const write = (name, value) => {
    const file = join(folder, name)
    writeFileSync(file, JSON.stringify(value))
    return file
  }
  return [
    ...['--auth', auth, '--clock', clock, '--fixture', write('fixture.json', own)],
    ...(profile === undefined ? [] : ['--profile', profile]),
    ...(worlds === undefined ? [] : ['--max-worlds', String(worlds)]),
    ...(maxMemory === undefined ? [] : ['--max-memory', String(maxMemory)]),
    ...(faults === undefined ? [] : ['--fault', write('faults.json', faults)]),
  ]
}

/** Asks for the health again and again, and measures how long that takes at most: so long others are not served. */
function watchTurns({ ask }) {
  let isOver = false
  let longest = 0
  const asking = (async () => {
    while (!isOver) {
      const start = performance.now()
      await ask('GET', '/__understudy__/api/health').catch(() => undefined)
      longest = Math.max(longest, performance.now() - start)
      await new Promise((wake) => setTimeout(wake, 5))
    }
  })()
  return {
    async stop() {
      isOver = true
      await asking
      return longest
    },
  }
}
