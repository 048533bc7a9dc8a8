import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import type { Profile } from '../../src/profiles/index.ts'
import type { RecordedExchange } from '../../src/traffic/exchange.ts'
import type { RuleId } from '../rules/index.ts'
import { checkInvariants, SentWrong } from '../runner/invariants/invariants.ts'
import { toExchange } from '../runner/read-exchange.ts'
import { Secrets } from '../runner/redact.ts'
import { checkTraffic } from '../traffic/check-traffic.ts'
import { parseBaseline } from '../verify/baseline.ts'
import { type Lie, recordingOf, viewsOf } from './planted-lies.ts'

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

/** The rules that an exchange violates by itself. */
function brokenBy({ request, reply }: RecordedExchange): RuleId[] {
  const broken: RuleId[] = []
  const path = request.url.replace(/^https?:\/\/[^/]+/, '')
  const contentType = reply?.headers['content-type'] ?? ''
  const exchange = toExchange(
    { method: request.method, path, headers: {}, body: undefined },
    undefined,
    {
      status: reply?.status ?? 0,
      contentType,
      text: reply?.body ?? '',
      date: undefined,
      retryAfter: undefined,
    },
    'http://recorded.invalid',
    new Secrets(),
  )
  checkInvariants(exchange, (id, holds) => holds || broken.push(id), new SentWrong())
  return broken
}

/** A recording to plant lies in. */
export interface LieRecording {
  readonly name: string
  readonly exchanges: readonly RecordedExchange[]
  readonly profile: Profile | undefined
}

/** The lies that found a place in recordings, and those places where they were not found. */
export async function plantLies(lies: readonly Lie[], recordings: readonly LieRecording[]) {
  const planted = new Set<string>()
  const missed: string[] = []
  let places = 0
  for (const lie of lies) {
    for (const { name, exchanges, profile } of recordings) {
      const views = viewsOf(exchanges)
      if (!lie.tell(views)) continue
      const lied = recordingOf(views)
      const unchanged = recordingOf(viewsOf(exchanges))
      const changed = lied.findIndex(({ reply }, place) => reply?.body !== unchanged[place]?.reply?.body)
      const [before, after] = [exchanges[changed], lied[changed]]
      if (before === undefined || after === undefined)
        throw new Error(`The lie changes nothing: ${lie.name}.`)
      // A reply that is wrong by itself would be found without any state.
      if (brokenBy(after).some((id) => !brokenBy(before).includes(id))) continue
      planted.add(lie.name)
      places++
      const { failed } = await findingsIn(lied.slice(0, changed + 15), profile)
      if (failed.length === 0) missed.push(`${lie.name} (${name})`)
    }
  }
  return { planted, places, missed }
}
