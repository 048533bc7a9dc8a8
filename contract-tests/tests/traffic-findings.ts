import { type Profile, profiles } from '../../src/profiles/index.ts'
import type { RecordedExchange } from '../../src/traffic/exchange.ts'
import { newDeviations } from '../reports/report.ts'
import { markKnown } from '../runner/verdicts.ts'
import { checkTraffic } from '../traffic/check-traffic.ts'
import { findProfile } from '../verify/verify-traffic.ts'

async function* streamed(exchanges: readonly RecordedExchange[]): AsyncGenerator<RecordedExchange> {
  yield* exchanges
}

/** The findings in a recording, without those that the profile explains. */
export async function findingsIn(exchanges: readonly RecordedExchange[], profile: Profile | undefined) {
  const name = Object.keys(profiles).find((each) => profiles[each] === profile)
  const { reasonFor } = await findProfile(name)
  const { findings, counts } = await checkTraffic([streamed(exchanges)], { profile })
  const marked = findings.map((finding) =>
    markKnown(finding, (evidence) => reasonFor(finding.rule, evidence)),
  )
  const failed = newDeviations(marked).map(({ rule, evidence }) => `${rule.id}: ${evidence.headline}`)
  return { failed, counts }
}
