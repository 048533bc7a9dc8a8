import { execFileSync } from 'node:child_process'
import { aimed, printTable, times } from '../lib/table.mjs'

const task = new URL('../tasks/msw-time.mjs', import.meta.url).pathname

/** Compares the cost of the MSW handler with a handler that returns the same bytes from a constant. */
export function measureMsw({ fixture, rounds }) {
  const output = execFileSync(process.execPath, [task, fixture, String(rounds)], { encoding: 'utf8' })
  printTable(
    'MSW in Node (CPU µs per request)',
    ['request', 'static handler', 'createHandlers', 'ratio', 'aim'],
    JSON.parse(output).map(({ name, kind, statics, ours }) => [
      `${name}, ${kind}`,
      statics.toFixed(1),
      ours.toFixed(1),
      times(ours / statics),
      aimed(ours / statics, 1.1, false),
    ]),
  )
}
