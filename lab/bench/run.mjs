// npm run bench [-- --quick] [-- --only throughput|start|msw|growth|proxy] [-- --against
// CHECKOUT/dist/cli/main.js]: prints Markdown tables with ratios of one run, without a verdict. --against:
// compares the throughput with another build of the command.
import { execFileSync } from 'node:child_process'
import { existsSync } from 'node:fs'
import { availableParallelism, cpus } from 'node:os'
import { join } from 'node:path'
import { parseArgs } from 'node:util'
import { temporaryFolder } from '../lib/processes.mjs'
import { writeFixture } from './lib/fixtures.mjs'

const sections = ['throughput', 'start', 'msw', 'growth', 'proxy']
const { values: flags } = parseArgs({
  options: {
    quick: { type: 'boolean', default: false },
    only: { type: 'string', multiple: true, default: sections },
    against: { type: 'string' },
  },
})
const unknown = flags.only.find((name) => !sections.includes(name))
if (unknown !== undefined) {
  console.error(
    `--only: expected one of ${sections.join(', ')}; found ${unknown}. Repeat --only for several.`,
  )
  process.exit(2)
}
const effort = flags.quick ? { rounds: 1, seconds: 1 } : { rounds: 5, seconds: 2 }

const bench = import.meta.dirname
if (!existsSync(join(bench, 'node_modules'))) {
  const npm = ['install', '--no-package-lock', '--no-audit', '--no-fund', '--ignore-scripts']
  execFileSync('npm', npm, { cwd: bench, stdio: ['ignore', 2, 2] })
}

const folder = temporaryFolder('bench')
const context = {
  ...effort,
  against: flags.against,
  folder,
  fixture: writeFixture(folder, 1_000),
}
console.log(
  `Node ${process.version}, ${availableParallelism()} x ${cpus()[0]?.model}; medians of ${effort.rounds} interleaved rounds of ${effort.seconds} s.`,
)
for (const name of flags.only) {
  // Needs the installed packages.
  const { measure } = await import(`./sections/${name}.mjs`)
  await measure(context)
}
