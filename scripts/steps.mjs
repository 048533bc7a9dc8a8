// `npm run check`, `npm test` and `npm run test:thorough`: what only reads the sources beside the tests, which wait for others
// part of their time; and how long each took. What fails ends all.
import { spawn } from 'node:child_process'

const commands = {
  // What has not changed since the last time is not checked again. Several checkers would take half as much again, of the tests' time.
  types: 'tsc --noEmit --checkers 1 --incremental --tsBuildInfoFile node_modules/.cache/types.tsbuildinfo',
  lint: 'biome check .',
  unused: 'knip --cache',
  fast: 'vitest run --project fast',
  // Each `!` takes one away from all.
  tests: 'vitest run --project !thorough',
  thorough: 'vitest run --project thorough',
}
const areTests = (name) => commands[name].startsWith('vitest')
const names = process.argv.slice(2)
const took = []
const running = new Set()
const start = performance.now()
const secondsSince = (moment) => `${((performance.now() - moment) / 1000).toFixed(1)} s`

/** Runs a step; what one beside others says is shown in one piece, when it is over. */
async function run(name) {
  const begun = performance.now()
  // A group of its own, so that what it has started ends with it.
  const child = spawn(commands[name], {
    shell: true,
    stdio: areTests(name) ? ['ignore', 'inherit', 'inherit'] : ['ignore', 'pipe', 'pipe'],
    detached: process.platform !== 'win32',
  })
  running.add(child)
  const said = []
  for (const stream of [child.stdout, child.stderr]) stream?.on('data', (chunk) => said.push(chunk))
  const status = await new Promise((resolve) => child.once('close', resolve))
  running.delete(child)
  process.stdout.write(Buffer.concat(said))
  took.push(`${name} ${secondsSince(begun)}`)
  if (status === 0) return
  console.error(`\n${name} failed. ${took.join(', ')}`)
  end()
  process.exit(1)
}

function end() {
  for (const { pid } of running) {
    try {
      process.kill(process.platform === 'win32' ? pid : -pid)
    } catch {
      // It has ended by itself.
    }
  }
}

for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP']) {
  process.once(signal, () => {
    end()
    process.exit(130)
  })
}
await Promise.all(names.map(run))
console.log(`\nAll of it passed in ${secondsSince(start)}: ${took.join(', ')}`)
