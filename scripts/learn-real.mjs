// Sends generated sequences to Mage AI 0.9.79 and to the mock with its profile, and prints replies of
// different form: missing parts of the profile, and its limits. `npm run learn:real`
// --mode open|login   one mode only            --sequences N, --seed N number and seed of the sequences
// --target URL        a running server         --limits                prints the limits as well
import { readFileSync } from 'node:fs'
import { parseArgs } from 'node:util'
import { learn, parseLimits } from '../dist/contract-tests/learning/learn.js'
import { mageAi0979 } from '../dist/profiles/index.js'
import { modes, onRealServers } from './lib/real-server.mjs'

const { values } = parseArgs({
  options: {
    mode: { type: 'string' },
    target: { type: 'string' },
    sequences: { type: 'string', default: '7' },
    seed: { type: 'string', default: '1' },
    limits: { type: 'boolean', default: false },
  },
})
const limits = parseLimits(readFileSync('contract-tests/baselines/mage-ai-0.9.79.limits.json', 'utf8'))

async function learnFrom(url, { mode, credentials }) {
  const { lessons, compared } = await learn(
    {
      target: url,
      ...credentials,
      profile: mageAi0979,
      useConventions: true,
      concurrency: 1,
      timeout: 120_000,
      sequences: Number(values.sequences),
      seed: Number(values.seed),
    },
    limits,
  )
  const open = lessons.filter(({ reason }) => reason === undefined)
  for (const { operation, at, real, profile, times, request, reason } of values.limits ? lessons : open) {
    console.log(
      `${operation} ${at}: ${real} on the real server, ${profile} under the profile (${times} times)`,
    )
    console.log(`    ${reason === undefined ? '' : `limit: ${reason}; `}first at ${request.slice(0, 300)}`)
  }
  const stated = lessons.length - open.length
  console.log(
    `${mode}: ${compared} replies compared; ${open.length} kinds of difference, ${stated} stated limits`,
  )
  if (open.length > 0) process.exitCode = 1
}

if (values.target === undefined) await onRealServers(values.mode, learnFrom)
else
  await learnFrom(
    values.target,
    modes.find(({ mode }) => mode === (values.mode ?? 'open')),
  )
