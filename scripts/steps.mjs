// Runs the steps of `npm run check`, `npm test` or `npm run test:thorough` at the same time and prints how long each took.
// The first step that fails ends the others.
import { spawn } from 'node:child_process'

const commands = {
  // One checker: several would take CPU time from the tests.
  types: 'tsc --noEmit --checkers 1 --incremental --tsBuildInfoFile node_modules/.cache/types.tsbuildinfo',
  lint: 'biome check .',
  prose: 'node lab/prose.mjs',
  unused: 'knip --cache',
  fast: 'vitest run --project fast',
  tests: 'vitest run --project !thorough',
  thorough: 'vitest run --project thorough',
}
const areTests = (name) => commands[name].startsWith('vitest')
const names = process.argv.slice(2)
const took = []
const running = new Set()
const start = performance.now()
const secondsSince = (time) => `${((performance.now() - time) / 1000).toFixed(1)} s`

/** Runs a step. The output of tests is printed at once, that of other steps at their end. */
async function run(name) {
  const started = performance.now()
  // A process group of its own, so that the processes it starts end with it.
  const child = spawn(commands[name], {
    shell: true,
    stdio: areTests(name) ? ['ignore', 'inherit', 'inherit'] : ['ignore', 'pipe', 'pipe'],
    detached: process.platform !== 'win32',
  })
  running.add(child)
  const output = []
  for (const stream of [child.stdout, child.stderr]) stream?.on('data', (chunk) => output.push(chunk))
  const status = await new Promise((resolve) => child.once('close', resolve))
  running.delete(child)
  process.stdout.write(Buffer.concat(output))
  took.push(`${name} ${secondsSince(started)}`)
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
      // The step has ended already.
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
console.log(`\nPassed in ${secondsSince(start)}: ${took.join(', ')}`)
