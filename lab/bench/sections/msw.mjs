import { execFileSync } from 'node:child_process'
import { peer } from '../lib/paths.mjs'
import { aimed, printTable, times } from '../lib/table.mjs'

/** Compares the cost of the MSW handler with a handler that returns the same bytes from a constant. */
export function measureMsw({ fixture, rounds }) {
  const output = execFileSync(process.execPath, [peer('../tasks/msw-time.mjs'), fixture, String(rounds)], {
    encoding: 'utf8',
  })
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
