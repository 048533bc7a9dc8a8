import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { expect, it } from 'vitest'
import type { RuleId } from '../rules/index.ts'
import type { InvariantCheck } from '../runner/invariants/invariant-check.ts'
import { checkInvariants, SentWrong } from '../runner/invariants/invariants.ts'
import { toExchange } from '../runner/read-exchange.ts'
import { Secrets } from '../runner/redact.ts'
import type { Recording } from '../targets/recording.ts'
import { parseBaselineFile } from '../verify/baseline.ts'

const root = join(import.meta.dirname, '../..')
const baselinePath = join(import.meta.dirname, '../baselines/mage-ai-0.9.79.json')
const baseline = parseBaselineFile(await readFile(baselinePath, 'utf8'), 'mage-ai-0.9.79.json')
const known = new Set<string>(
  baseline.deviations.flatMap((entry) => ('rules' in entry ? entry.rules : [entry.rule])),
)
const read = async (mode: string) =>
  JSON.parse(await readFile(join(root, `fixtures/recorded/mage-ai-0.9.79/${mode}.json`), 'utf8')) as Recording

/** The rules that the invariants find broken in recorded exchanges. */
function brokenIn({ exchanges }: Recording): Set<RuleId> {
  const broken = new Set<RuleId>()
  const sentWrong = new SentWrong()
  for (const { method, path, credentials = {}, body, reply } of exchanges) {
    const text = typeof reply.body === 'string' ? reply.body : JSON.stringify(reply.body)
    const sent = { method, path, headers: credentials, body: undefined }
    const received = { status: reply.status, contentType: reply.contentType, text }
    const exchange = toExchange(sent, body, received, 'http://recorded.invalid', new Secrets({}))
    const note: InvariantCheck = (id, holds) => holds || broken.add(id)
    checkInvariants(exchange, note, sentWrong)
  }
  return broken
}

it.each(['open', 'login'] as const)(
  'finds only the deviations of the baseline in the recording of the %s server',
  async (mode) => {
    const broken = brokenIn(await read(mode))

    expect(broken.size).toBeGreaterThan(10)
    expect([...broken].filter((id) => !known.has(id))).toEqual([])
  },
)

it.each(['open', 'login'] as const)('has no secret in the recording of the %s server', async (mode) => {
  const text = JSON.stringify(await read(mode))
  const tokens = [...text.matchAll(/"token\\?":\\?"([^"\\]+)/g)].map(([, token]) => token!)

  expect(text).not.toContain('zkWlN0PkIKSN0C11CfUHUj84OT5XOJ6tDZ6bDRO2')
  expect(text).not.toMatch(/\/tmp\/|\/root\/|\/home\//)
  for (const token of tokens) expect(token).toMatch(/^token-\d+$|\.signature$/)
})
