// Runs the steps of `npm run check`, `npm test` or `npm run test:thorough` at the same time and prints how long each took.
// The first step that fails ends the others.
import { once } from 'node:events'
import { start } from '../lab/lib/processes.mjs'

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
const names = process.argv.slice(2)
const durations = []
const begin = performance.now()
const secondsSince = (time) => `${((performance.now() - time) / 1000).toFixed(1)} s`

/** Runs a step. Prints the output of tests at once, that of other steps at their end. */
async function run(name) {
  const began = performance.now()
  const isLive = commands[name].startsWith('vitest')
  const stdio = ['ignore', ...(isLive ? ['inherit', 'inherit'] : ['pipe', 'pipe'])]
  const step = start(commands[name], [], { shell: true, stdio })
  const output = []
  for (const stream of [step.child.stdout, step.child.stderr])
    stream?.on('data', (chunk) => output.push(chunk))
  const [status] = await once(step.child, 'close')
  process.stdout.write(Buffer.concat(output))
  durations.push(`${name} ${secondsSince(began)}`)
  if (status === 0) return
  console.error(`\n${name} failed. ${durations.join(', ')}`)
  process.exit(1)
}

await Promise.all(names.map(run))
console.log(`\nPassed in ${secondsSince(begin)}: ${durations.join(', ')}`)
