import { basename } from 'node:path'
import { type Profile, profiles } from '../../src/profiles/index.ts'
import { version } from '../../src/shared/version.ts'
import { ClientLint } from '../../src/traffic/client-lint.ts'
import type { RecordedExchange } from '../../src/traffic/exchange.ts'
import { readHar } from '../../src/traffic/read-har.ts'
import { noRequests, type Report } from '../reports/report.ts'
import type { Rule, Source } from '../rules/index.ts'
import { checkSelection, skipReasons } from '../runner/selection.ts'
import { type Finding, markKnown } from '../runner/verdicts.ts'
import { type CheckedTraffic, checkTraffic } from '../traffic/check-traffic.ts'
import { applyBaseline, type Baseline, parseBaseline, type ReasonFor, reasonsIn } from './baseline.ts'
import { checkReports, finish, type Verified } from './finish.ts'
import { readBaseline } from './verify.ts'

/** Options of `pipeline-understudy verify` with HAR files. */
export interface VerifyTrafficOptions extends Omit<VerifyRecordingsOptions, 'recordings' | 'target'> {
  readonly files: readonly string[]
}

export interface VerifyRecordingsOptions {
  readonly recordings: readonly AsyncIterable<RecordedExchange>[]
  /** The source of the recordings, as the report names it. */
  readonly target: string
  readonly command: string
  /** The name of the profile of the server that answered. */
  readonly profile?: string | undefined
  /** Also reports what the clients do wrong. */
  readonly client?: boolean | undefined
  /** Called at the first violation of a rule that affects the exit code, with the request. */
  readonly onViolation?: ((rule: Rule, request: string) => void) | undefined
  /** Called at the start, with a function that returns the report so far. */
  readonly onStart?: ((reportSoFar: () => Report) => void) | undefined
  readonly only?: readonly string[] | undefined
  readonly baseline?: string | undefined
  readonly strict?: readonly Source[] | undefined
  readonly reports?: Readonly<Record<string, string>> | undefined
  readonly reproductions?: string | undefined
}

/**
 * Checks recorded traffic, and writes reports. Sends nothing.
 *
 * @throws Error where a file is not a HAR file, or an option is invalid.
 */
export function verifyTraffic({ files, ...options }: VerifyTrafficOptions): Promise<Verified> {
  const target = files.map((file) => basename(file)).join(', ')
  return verifyRecordings({ ...options, recordings: files.map(readHar), target })
}

/** Checks exchanges from any source, and writes reports. */
export async function verifyRecordings(options: VerifyRecordingsOptions): Promise<Verified> {
  const start = performance.now()
  const { recordings, target, command, only = [], strict = [], reports, reproductions } = options
  checkReports(reports)
  checkSelection({ only })
  const baseline =
    options.baseline === undefined
      ? undefined
      : parseBaseline(readBaseline(options.baseline), options.baseline)
  const { profile, reasonFor } = await findProfile(options.profile)
  const lint = options.client ? new ClientLint() : undefined
  const skips = skipReasons({ only, allowDestructive: true })
  const describe = (result: CheckedTraffic): Report => {
    const { findings, gone } = applyBaseline(result.findings, baseline, 'login')
    return {
      ...noRequests,
      target,
      command,
      version,
      strict,
      requests: result.counts.checked,
      milliseconds: performance.now() - start,
      choices: result.choices,
      gone,
      findings: findings.map((finding): Finding => {
        const { rule } = finding
        const flag = skips(rule)
        if (flag !== undefined) return { rule, verdict: { kind: 'skipped', flag } }
        return markKnown(finding, (evidence) => reasonFor(rule, evidence))
      }),
      ...(lint && { client: lint.issues }),
      traffic: result.counts,
    }
  }
  const result = await checkTraffic(recordings, {
    lint,
    profile,
    isKnown: (rule, evidence) => reasonFor(rule, evidence) !== undefined,
    onViolation: (rule, request) => rule.source === 'specified' && options.onViolation?.(rule, request),
    onStart: (resultSoFar) => options.onStart?.(() => describe(resultSoFar())),
  })
  return finish(describe(result), reports, reproductions)
}

/** The profile of a name, with the reasons for the known deviations of the server that it emulates. */
export async function findProfile(
  name: string | undefined,
): Promise<{ readonly profile: Profile | undefined; readonly reasonFor: ReasonFor }> {
  if (name === undefined) return { profile: undefined, reasonFor: () => undefined }
  const profile = profiles[name]
  const load = baselines.get(name)
  if (profile === undefined || load === undefined)
    throw new Error(`--profile: expected ${[...baselines.keys()].join(' or ')}; found ${name}.`)
  const { deviations } = await load()
  return { profile, reasonFor: reasonsIn(deviations) }
}

const baselines = new Map<string, () => Promise<Baseline>>([
  [
    'mage-ai-0.9.79',
    async () => {
      const { default: file } = await import('../baselines/mage-ai-0.9.79.json', { with: { type: 'json' } })
      return parseBaseline(JSON.stringify(file), 'of the profile')
    },
  ],
])
