// Prints the size of the repository and of a request's path, each with its goal: npm run measure [-- --casts] [-- --trace]
import { execFileSync } from 'node:child_process'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { parseArgs } from 'node:util'
import { root } from './lib/processes.mjs'
import { findCasts } from './measure/count-casts.mjs'
import { countLines } from './measure/count-lines.mjs'
import { transpile } from './measure/transpile.mjs'

const { values: flags } = parseArgs({
  options: {
    /** Lists each cast and non-null assertion instead of the table. */
    casts: { type: 'boolean', default: false },
    /** Lists the functions and stack frames of both requests instead of the table. */
    trace: { type: 'boolean', default: false },
  },
})

if (flags.casts) listCasts()
else if (flags.trace) listTrace()
else printTable()

function printTable() {
  const { get, trigger } = traceRequests()
  const lines = countLines(root)
  const casts = findCasts(root)
  const count = (kind) => casts.filter((each) => each.kind === kind).length
  // `before` is the size before the engine became synchronous.
  const rows = [
    ['GET one record: files', 42, get.files.length, 18],
    ['GET one record: own functions', 95, get.functions.length, 45],
    ['GET one record: stack frames to the presenter', 22, get.frames.length, 10],
    ['trigger a run: files', 60, trigger.files.length, 30],
    ['trigger a run: own functions', 173, trigger.functions.length, 90],
    ['lines: src without panel', 32_199, lines.get('src'), 25_000],
    ['lines: panel and demo', 11_886, lines.get('panel'), 8_000],
    ['lines: contract-tests and mutants', 28_893, lines.get('verifier'), 20_000],
    ['lines: tests', 32_805, lines.get('tests'), 22_000],
    ['lines: scripts and lab', 6_287, lines.get('scripts'), 4_000],
    ['casts', 311, count('cast'), 60],
    ['non-null assertions', 165, count('non-null'), 30],
  ].map(([measure, before, now, goal]) => ({
    measure,
    before,
    now,
    goal,
    result: now <= goal ? 'pass' : 'FAIL',
  }))
  console.table(rows)
}

function traceRequests() {
  const folder = transpile()
  const trace = join(import.meta.dirname, 'measure/trace.mjs')
  execFileSync(process.execPath, [trace, folder], { stdio: ['ignore', 'ignore', 'inherit'] })
  return JSON.parse(readFileSync(join(folder, 'trace.json'), 'utf8'))
}

function listTrace() {
  for (const [name, { functions, frames }] of Object.entries(traceRequests())) {
    console.log(`\n${name}: stack of the presenter`)
    for (const frame of frames) console.log(`  ${frame}`)
    console.log(`${name}: functions`)
    for (const line of functions.map(({ file, name, calls }) => `  ${file} ${name} × ${calls}`).sort())
      console.log(line)
  }
}

function listCasts() {
  for (const { kind, path, line, source } of findCasts(root))
    console.log(`${path}:${line} ${kind}: ${source}`)
}
