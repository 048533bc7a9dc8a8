// `npm run check` and `npm test`: one step after the other, and how long each took. The first that fails ends it.
import { spawnSync } from 'node:child_process'

const commands = {
  types: 'tsc --noEmit',
  lint: 'biome check .',
  unused: 'knip',
  fast: 'vitest run --project fast',
  tests: 'vitest run',
}
const names = process.argv.slice(2)
const took = []
const start = performance.now()
const secondsSince = (moment) => `${((performance.now() - moment) / 1000).toFixed(1)} s`

for (const name of names) {
  const begun = performance.now()
  const { status } = spawnSync(commands[name], { shell: true, stdio: 'inherit' })
  took.push(`${name} ${secondsSince(begun)}`)
  if (status !== 0) {
    console.error(`\n${name} failed. ${took.join(', ')}`)
    process.exit(1)
  }
}
console.log(`\nAll of it passed in ${secondsSince(start)}: ${took.join(', ')}`)
