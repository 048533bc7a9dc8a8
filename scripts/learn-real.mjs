// Sends generated sequences to Mage AI 0.9.79 and to the mock with its profile, and prints replies of
// different form: missing parts of the profile. `npm run learn:real [-- --mode open|login --seed N]`
import { readFileSync } from 'node:fs'
import { parseArgs } from 'node:util'
import { mageAi0979 } from '../dist/profiles/index.js'
import { importTypeScript } from '../lab/lib/typescript.mjs'
import { onRealServers } from './lib/real-server.mjs'

const { values } = parseArgs({
  options: { mode: { type: 'string' }, seed: { type: 'string', default: '1' } },
})
const { learn, parseLimits } = await importTypeScript('lab/real-server/learn.ts')
const limits = parseLimits(readFileSync('contract-tests/baselines/mage-ai-0.9.79.limits.json', 'utf8'))

await onRealServers(values.mode, async ({ target, mode, credentials }) => {
  const options = { target, ...credentials, useConventions: true, concurrency: 1, timeout: 120_000 }
  const generated = { profile: mageAi0979, sequences: 7, seed: Number(values.seed) }
  const { lessons, compared } = await learn({ ...options, ...generated }, limits)
  const open = lessons.filter(({ reason }) => reason === undefined)
  for (const { operation, at, real, profile, times, request } of open)
    console.log(
      `${operation} ${at}: ${real} on the real server, ${profile} under the profile (${times} times)\n    first at ${request.slice(0, 300)}`,
    )
  const stated = lessons.length - open.length
  console.log(
    `${mode}: ${compared} replies compared; ${open.length} kinds of difference, ${stated} stated limits`,
  )
  if (open.length > 0) process.exitCode = 1
})
