import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import type { Profile } from '../../src/profiles/index.ts'
import type { RecordedExchange } from '../../src/traffic/exchange.ts'
import { checkTraffic } from '../traffic/check-traffic.ts'
import { parseBaseline } from '../verify/baseline.ts'

const text = await readFile(join(import.meta.dirname, '../baselines/mage-ai-0.9.79.json'), 'utf8')
const { deviations } = parseBaseline(text, 'mage-ai-0.9.79.json')
const knownForms = new Set(deviations.flatMap(({ rules }) => rules))

async function* streamed(exchanges: readonly RecordedExchange[]): AsyncGenerator<RecordedExchange> {
  yield* exchanges
}

/** The findings in a recording, without those that the profile explains. */
export async function findingsIn(exchanges: readonly RecordedExchange[], profile: Profile | undefined) {
  const { findings, known, counts } = await checkTraffic(
    [streamed(exchanges)],
    profile && { profile, knownForms },
  )
  const failed = findings.flatMap(({ rule, verdict }) =>
    verdict.kind === 'failed' && !known.has(rule.id) ? [`${rule.id}: ${verdict.evidence.headline}`] : [],
  )
  return { failed, counts }
}
