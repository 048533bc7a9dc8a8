import { readFile, writeFile } from 'node:fs/promises'
import { Client } from '../judge/client.ts'
import { matchesGlob } from '../judge/glob.ts'
import { judge } from '../judge/judge.ts'
import { lookFirst } from '../judge/look-first.ts'
import { credentialsOf, type Judgement, type JudgeOptions, secretsOf } from '../judge/options.ts'
import { Secrets } from '../judge/redact.ts'
import { overHttp } from '../judge/transports/over-http.ts'
import { fileReports, isReportName } from '../reports/index.ts'
import { newDeviations, type Report } from '../reports/report.ts'
import { isDerived } from '../rules/derived.ts'
import { type Rule, rules } from '../rules/index.ts'
import { covers, scenarios } from '../scenarios/index.ts'
import { applyBaseline, parseBaseline } from './baseline.ts'
import { cleanUpAfterCrash, ledgerPath, ledgersAt } from './ledger-files.ts'
import { mergeFindings } from './merge-findings.ts'
import { groupsOf } from './shards.ts'

/** What `understudy verify` is asked to do. */
export interface VerifyOptions extends JudgeOptions {
  readonly target: string
  /** A file of known deviations. */
  readonly baseline?: string | undefined
  /** Files to write, by the name of the report: junit, json, html, sarif, github. */
  readonly reports?: Readonly<Record<string, string>>
  /** A part of the scenarios, such as `1/4`; the parts' JSON reports can be merged. */
  readonly shard?: string | undefined
}

/** What came of it: 0 all hold or match the baseline, 1 deviations. */
export interface Verified {
  readonly report: Report
  readonly exitCode: 0 | 1
}

/** Thrown where judging was stopped by `signal`, once what was created has been deleted. */
export class Interrupted extends Error {
  /** What could not be deleted. */
  readonly leftBehind: readonly string[]

  constructor(leftBehind: readonly string[]) {
    super('Interrupted.')
    this.leftBehind = leftBehind
  }
}

/**
 * Judges a server by its base URL, and writes reports.
 *
 * @throws CannotJudge where the target is unreachable or not of this API.
 * @example
 * const { report, exitCode } = await verify({ target: 'http://127.0.0.1:6789' })
 */
export async function verify(options: VerifyOptions): Promise<Verified> {
  checkOptions(options)
  const groups = groupsOf(options.shard)
  const baseline =
    options.baseline === undefined
      ? undefined
      : parseBaseline(await readFile(options.baseline, 'utf8'), options.baseline)
  const ledgerFile = options.ledgerFile ?? ledgerPath(options.target)
  const client = new Client(
    overHttp(options.target),
    credentialsOf(options),
    options.timeout ?? 10_000,
    new Secrets(secretsOf(options)),
  )
  const checks = await unlessAborted(lookFirst(client, options), options.signal)
  await cleanUpAfterCrash(ledgerFile, client, options.useConventions === true)

  const start = performance.now()
  const judgements: Judgement[] = []
  for (const names of groups) {
    if (options.signal?.aborted) break
    const [first] = names
    const judgement = await judge({
      ...options,
      // One look and one sign-in serve all groups: each session leaves a token on the target.
      checks,
      token: client.credentials.token,
      scenarios: names,
      ledgerFile: `${ledgerFile}.${first}`,
      ...(options.prefix === undefined ? {} : { prefix: `${options.prefix}${first.slice(0, 3)}` }),
    })
    judgements.push({
      ...judgement,
      findings: judgement.findings.filter(({ rule }) => judges(names, rule)),
    })
  }
  const leftBehind = judgements.flatMap((judgement) => judgement.leftBehind.map(({ path }) => path))
  if (options.signal?.aborted) throw new Interrupted(leftBehind)
  const mode = checks.keys || checks.tokens ? 'login' : 'open'
  const merged = mergeFindings(judgements.map(({ findings }) => findings))
  const report: Report = {
    target: new URL(options.target).origin,
    ...applyBaseline(merged, baseline, mode),
    requests: judgements.reduce((sum, { requests }) => sum + requests, 0),
    milliseconds: performance.now() - start,
    waited: judgements.reduce((sum, { waited }) => sum + waited, 0),
    leftBehind,
  }
  return finish(report, options.reports)
}

/** The paths of what runs against a target have created and not yet deleted. */
export function leftOn(target: string): string[] {
  return ledgersAt(ledgerPath(target)).flatMap(({ entries }) => entries.map(({ path }) => path))
}

/** Joins the JSON reports of several parts into one. */
export async function mergeReports(
  files: readonly string[],
  reports?: Readonly<Record<string, string>>,
): Promise<Verified> {
  checkOptions({ reports: reports ?? {} })
  const parts = await Promise.all(
    files.map(async (file) => JSON.parse(await readFile(file, 'utf8')) as Report),
  )
  const sum = (of: (part: Report) => number) => parts.reduce((total, part) => total + of(part), 0)
  const report: Report = {
    target: parts[0]?.target ?? '',
    findings: mergeFindings(parts.map((part) => part.findings)),
    gone: parts.flatMap((part) => part.gone),
    requests: sum((part) => part.requests),
    milliseconds: sum((part) => part.milliseconds),
    waited: sum((part) => part.waited),
    leftBehind: parts.flatMap((part) => part.leftBehind),
  }
  return finish(report, reports)
}

/** Refuses what could only fail, or mean nothing, once the target has been judged. */
function checkOptions({ only = [], reports = {} }: Pick<VerifyOptions, 'only' | 'reports'>): void {
  const unknown = Object.keys(reports).find((name) => !isReportName(name))
  if (unknown !== undefined) {
    throw new Error(`There is no report ${unknown}; there are ${Object.keys(fileReports).join(', ')}.`)
  }
  const idle = only.find((glob) => !rules.some(({ id }) => matchesGlob(id, glob)))
  if (idle !== undefined) {
    throw new Error(`No rule fits ${idle}; rules are named such as backfill-create/name. Try 'backfill-*'.`)
  }
}

async function finish(report: Report, reports: Readonly<Record<string, string>> = {}): Promise<Verified> {
  for (const [name, file] of Object.entries(reports)) {
    if (isReportName(name)) await writeFile(file, fileReports[name](report))
  }
  return { report, exitCode: newDeviations(report.findings).length + report.gone.length > 0 ? 1 : 0 }
}

/** Tells whether one of the named scenarios judges a rule. */
function judges(names: readonly string[], rule: Rule): boolean {
  // Laws are held of whatever any scenario sends.
  return (
    isDerived(rule.id) ||
    scenarios.some((scenario) => names.includes(scenario.name) && covers(scenario, rule))
  )
}

/** Waits for what has created nothing yet, and no longer than until the signal aborts. */
async function unlessAborted<Value>(value: Promise<Value>, signal: AbortSignal | undefined): Promise<Value> {
  if (signal === undefined) return value
  let onAbort = () => {}
  const aborted = new Promise<never>((_, reject) => {
    onAbort = () => reject(new Interrupted([]))
    signal.addEventListener('abort', onAbort)
  })
  try {
    return await Promise.race([value, aborted])
  } finally {
    signal.removeEventListener('abort', onAbort)
  }
}
