// npm run crash [-- --times 100 --worlds 50 --seed 1 --only WORDS]: kills, damages, fills and shares what `serve --state`
// keeps. Prints what was lost, as a table: `lost` counts what is wrong or missing, `late` the kills that took changes which
// were older than a second and the time that the machine itself took for a small write. Exit code 1 where either was. The disk is
// filled by RLIMIT_FSIZE, which needs no rights, or where there is no prlimit, by a folder in the way.
import { join } from 'node:path'
import { parseArgs } from 'node:util'
import { root, temporaryFolder } from '../lab/lib/processes.mjs'
import { createRandom } from '../lab/lib/statistics.mjs'
import { importTypeScript } from '../lab/lib/typescript.mjs'

const { values: flags } = parseArgs({
  options: {
    times: { type: 'string', default: '100' },
    worlds: { type: 'string', default: '50' },
    seed: { type: 'string', default: '1' },
    only: { type: 'string', default: '' },
  },
})
const { crashes } = await importTypeScript('tests/support/crash/index.ts')
const folder = temporaryFolder('crash')
const times = Number(flags.times)
/** How often each is done: starting two servers takes two seconds. */
const shares = { 'full disk': 1, 'two servers on one file': Math.ceil(times / 10) }
const failures = []

console.log(`Seed ${flags.seed}.\n\n| what | times | lost | late | seen |\n|---|---|---|---|---|`)
for (const [name, crash] of Object.entries(crashes).filter(([name]) => name.includes(flags.only))) {
  const random = createRandom(Number(flags.seed))
  const { flaws, seen } = await crash({
    cli: process.env.UNDERSTUDY_CLI ?? join(root, 'dist/cli/main.js'),
    folder: join(folder, name.replaceAll(/\W+/g, '-')),
    random: random.next,
    times: shares[name] ?? times,
    worlds: Number(flags.worlds),
  })
  const late = flaws.filter((flaw) => flaw.includes('before the kill')).length
  const lost = flaws.length - late || 'nothing'
  console.log(`| ${name} | ${shares[name] ?? times} | ${lost} | ${late || 'none'} | ${seen} |`)
  failures.push(...flaws.map((flaw) => `${name}: ${flaw}`))
}
console.log(failures.length === 0 ? '\nAll held.' : `\nFAILED:\n${failures.slice(0, 20).join('\n')}`)
process.exit(failures.length === 0 ? 0 : 1)
