// `npm run check`, `npm test` and `npm run test:thorough`: what only reads the sources side by side, then the tests; and how
// long each took. What fails ends it.
import { spawn } from 'node:child_process'

const commands = {
  // What has not changed since the last time is not checked again.
  types: 'tsc --noEmit --incremental --tsBuildInfoFile node_modules/.cache/types.tsbuildinfo',
  lint: 'biome check .',
  unused: 'knip',
  fast: 'vitest run --project fast',
  // Each `!` takes one away from all.
  tests: 'vitest run --project !thorough',
  thorough: 'vitest run --project thorough',
}
const areTests = (name) => commands[name].startsWith('vitest')
const names = process.argv.slice(2)
const took = []
const start = performance.now()
const secondsSince = (moment) => `${((performance.now() - moment) / 1000).toFixed(1)} s`

/** Runs a step; what one beside others says is shown in one piece, when it is over. */
async function run(name, stdio) {
  const begun = performance.now()
  const child = spawn(commands[name], { shell: true, stdio })
  const said = []
  for (const stream of [child.stdout, child.stderr]) stream?.on('data', (chunk) => said.push(chunk))
  const status = await new Promise((resolve) => child.once('close', resolve))
  process.stdout.write(Buffer.concat(said))
  took.push(`${name} ${secondsSince(begun)}`)
  return status === 0 ? [] : [name]
}

function endIf(failed) {
  if (failed.length === 0) return
  console.error(`\n${failed.join(', ')} failed. ${took.join(', ')}`)
  process.exit(1)
}

const readings = names.filter((name) => !areTests(name))
endIf((await Promise.all(readings.map((name) => run(name, ['ignore', 'pipe', 'pipe'])))).flat())
for (const name of names.filter(areTests)) endIf(await run(name, 'inherit'))
console.log(`\nAll of it passed in ${secondsSince(start)}: ${took.join(', ')}`)
