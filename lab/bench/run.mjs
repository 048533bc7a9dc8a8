// npm run bench [-- --quick] [-- --only throughput|start|msw|growth|proxy] [-- --against
// CHECKOUT/dist/cli/main.js]: prints Markdown tables with ratios of one run, without a verdict. --against:
// compares the throughput with another build of the command.
import { execFileSync } from 'node:child_process'
import { existsSync } from 'node:fs'
import { availableParallelism, cpus } from 'node:os'
import { join } from 'node:path'
import { parseArgs } from 'node:util'
import { root, temporaryFolder } from '../lib/processes.mjs'

const { values: flags } = parseArgs({
  options: {
    quick: { type: 'boolean', default: false },
    only: { type: 'string', multiple: true },
    'no-build': { type: 'boolean', default: false },
    against: { type: 'string' },
  },
})
const effort = flags.quick ? { rounds: 1, seconds: 1 } : { rounds: 5, seconds: 2 }

const bench = import.meta.dirname
if (!existsSync(join(bench, 'node_modules'))) {
  const npm = ['install', '--no-package-lock', '--no-audit', '--no-fund', '--ignore-scripts']
  execFileSync('npm', npm, { cwd: bench, stdio: ['ignore', 2, 2] })
}
if (!flags['no-build'])
  execFileSync(process.execPath, ['scripts/build.mjs'], { cwd: root, stdio: ['ignore', 2, 2] })

// These need the installed packages and the build.
const { writeFixture } = await import('./lib/fixtures.mjs')
const sections = {
  throughput: (await import('./sections/throughput.mjs')).measureThroughput,
  start: (await import('./sections/start.mjs')).measureStart,
  msw: (await import('./sections/msw.mjs')).measureMsw,
  growth: (await import('./sections/growth.mjs')).measureGrowth,
  proxy: (await import('./sections/proxy.mjs')).measureProxy,
}
const asked = flags.only?.flatMap((names) => names.split(',')) ?? Object.keys(sections)
const unknown = asked.filter((name) => !Object.hasOwn(sections, name))
if (unknown.length > 0) {
  console.error(`--only: there is no ${unknown.join(', ')}; there are ${Object.keys(sections).join(', ')}.`)
  process.exit(1)
}

const folder = temporaryFolder('bench')
const context = {
  ...effort,
  against: flags.against,
  folder,
  fixture: writeFixture(folder, 1_000),
  largeFixture: writeFixture(folder, 100_000),
}
console.log(
  `Node ${process.version}, ${availableParallelism()} x ${cpus()[0]?.model}; medians of ${effort.rounds} interleaved rounds of ${effort.seconds} s.`,
)
for (const name of asked) await sections[name](context)
