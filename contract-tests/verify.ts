import { createHash } from 'node:crypto'
import { readdirSync } from 'node:fs'
import { readFile, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { basename, dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import type { Reporter, TestModule, Vitest } from 'vitest/node'
import { applyBaseline, parseBaseline } from './baseline.ts'
import { Client } from './client.ts'
import { mergeFindings, newDeviations, type Report } from './findings.ts'
import { forgetForeign } from './forget-foreign.ts'
import { matchesGlob } from './glob.ts'
import { CannotJudge, cleanUp, type Judgement, type JudgeOptions, lookFirst } from './judge.ts'
import { Ledger } from './ledger.ts'
import { Secrets } from './redact.ts'
import { fileReports } from './reports/index.ts'
import { rules } from './rules/index.ts'
import type { Finding } from './verdicts.ts'

/** What `understudy verify` is asked to do. */
export interface VerifyOptions extends JudgeOptions {
  readonly target: string
  /** A file of known deviations. */
  readonly baseline?: string | undefined
  /** Files to write, by the name of the report: junit, json, html, sarif, github. */
  readonly reports?: Readonly<Record<string, string>>
  /** A part of the suites, such as `1/4`; the parts' JSON reports can be merged. */
  readonly shard?: string | undefined
}

/** What came of it: 0 all hold or match the baseline, 1 deviations, 2 could not run. */
export interface Verified {
  readonly report: Report
  readonly exitCode: 0 | 1
}

/**
 * Judges a server by its base URL, with vitest, and writes reports.
 *
 * @throws CannotJudge where the target is unreachable or not of this API.
 * @example
 * const { report, exitCode } = await verify({ target: 'http://127.0.0.1:6789' })
 */
export async function verify(options: VerifyOptions): Promise<Verified> {
  checkOptions(options)
  const ledgerFile = options.ledgerFile ?? ledgerPath(options.target)
  const baseline =
    options.baseline === undefined
      ? undefined
      : parseBaseline(await readFile(options.baseline, 'utf8'), options.baseline)
  const client = clientOf(options)
  const checks = await lookFirst(client, options)
  // One look and one sign-in serve all suites: each session leaves a token on the target.
  const known = { ...options, ledgerFile, checks, token: client.credentials.token }
  await cleanUpAfterCrash(known)

  const start = performance.now()
  const played = await playSuites(known)
  const mode = checks.keys || checks.tokens ? 'login' : 'open'
  const { findings, gone } = applyBaseline(mergeFindings(played.findings), baseline, mode)
  const report: Report = {
    target: new URL(options.target).origin,
    findings,
    gone,
    requests: played.judgements.reduce((sum, { requests }) => sum + requests, 0),
    milliseconds: performance.now() - start,
    waited: played.judgements.reduce((sum, { waited }) => sum + waited, 0),
    leftBehind: played.judgements.flatMap(({ leftBehind }) => leftBehind.map(({ path }) => path)),
  }
  return finish(report, options.reports)
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
  const unknown = Object.keys(reports).find((name) => !Object.hasOwn(fileReports, name))
  if (unknown !== undefined) {
    throw new Error(`There is no report ${unknown}; there are ${Object.keys(fileReports).join(', ')}.`)
  }
  const idle = only.find((glob) => !rules.some(({ id }) => matchesGlob(id, glob)))
  if (idle !== undefined) {
    throw new Error(`No rule fits ${idle}; rules are named such as backfill-create/name. Try 'backfill-*'.`)
  }
}

async function finish(report: Report, reports: Readonly<Record<string, string>> = {}): Promise<Verified> {
  for (const [name, file] of Object.entries(reports)) await writeFile(file, fileReports[name]!(report))
  return { report, exitCode: newDeviations(report.findings).length + report.gone.length > 0 ? 1 : 0 }
}

interface Played {
  readonly findings: Finding[][]
  readonly judgements: Omit<Judgement, 'findings'>[]
}

async function playSuites(options: VerifyOptions & { ledgerFile: string }): Promise<Played> {
  const { createVitest } = await import('vitest/node')
  const folder = join(dirname(fileURLToPath(import.meta.url)), 'suites')
  const extension = import.meta.url.endsWith('.ts') ? 'ts' : 'js'
  const played: Played = { findings: [], judgements: [] }
  const errors: unknown[] = []
  const collector: Reporter = {
    onTestRunEnd(modules, unhandled) {
      for (const module of modules) collect(module, played, errors)
      errors.push(...unhandled)
    },
  }
  const { reports: _, baseline: __, shard, ...judge } = options
  const config = {
    root: folder,
    config: false as const,
    watch: false,
    include: [`*.${extension}`],
    exclude: ['describe-for.*', '*.d.ts'],
    reporters: [collector],
    provide: { judge },
    pool: 'threads' as const,
    isolate: false,
    fileParallelism: false,
    maxWorkers: 1,
    server: { deps: { inline: [/contract-tests/] } },
    ...(shard === undefined ? {} : { shard: readShard(shard) }),
  }
  const listeners = process.listeners('SIGINT')
  // Nothing is written beside the suites, which may stand in an installed package.
  const vitest = await createVitest('test', config as never, {
    cacheDir: join(tmpdir(), 'understudy-vitest'),
  })
  // Vitest ends the process a millisecond after an interruption; what was made on the target is to be deleted first.
  for (const listener of process.listeners('SIGINT')) {
    if (!listeners.includes(listener)) process.off('SIGINT', listener)
  }
  const onInterrupt = () => void interrupt(vitest, options)
  process.once('SIGINT', onInterrupt)
  try {
    await vitest.start()
  } finally {
    process.off('SIGINT', onInterrupt)
    await vitest.close()
  }
  // A failing test has set it; here a deviation is a finding, and the caller decides what to exit with.
  process.exitCode = undefined
  if (errors.length > 0) throw new CannotJudge(`The suites could not run: ${messageOf(errors[0])}`)
  return played
}

function collect(module: TestModule, played: Played, errors: unknown[]): void {
  const findings: Finding[] = []
  errors.push(...module.errors())
  for (const suite of module.children.allSuites()) errors.push(...suite.errors())
  for (const test of module.children.allTests()) {
    const { finding, judgement } = test.meta()
    if (finding !== undefined) findings.push(finding)
    if (judgement !== undefined) played.judgements.push(judgement)
  }
  played.findings.push(findings)
}

function messageOf(error: unknown): string {
  return typeof error === 'object' && error !== null && 'message' in error
    ? String(error.message)
    : String(error)
}

function readShard(text: string): string {
  const match = /^(\d+)\/(\d+)$/.exec(text)
  const [index, count] = [Number(match?.[1]), Number(match?.[2])]
  if (match && index >= 1 && index <= count) return text
  throw new Error(`--shard: expected a part such as 1/4; found ${text}.`)
}

/** Stops the suites, deletes what they have made so far, and ends as a program does that was interrupted. */
async function interrupt(vitest: Vitest, options: VerifyOptions & { ledgerFile: string }): Promise<void> {
  try {
    await Promise.race([vitest.close(), new Promise((resolve) => setTimeout(resolve, 2_000))])
    await cleanUpAfterCrash(options)
  } finally {
    process.exit(130)
  }
}

/** Where the ledger of a target is kept: the same for the same URL, so that a later run finds what a crash left. */
function ledgerPath(target: string): string {
  return join(tmpdir(), `understudy-ledger-${createHash('sha256').update(target).digest('hex').slice(0, 12)}`)
}

/** Deletes what an interrupted run has left, from its ledgers. */
async function cleanUpAfterCrash(options: VerifyOptions & { ledgerFile: string }): Promise<void> {
  const name = basename(options.ledgerFile)
  const files = readdirSync(dirname(options.ledgerFile)).filter((file) => file.startsWith(`${name}.`))
  if (files.length === 0) return
  const client = clientOf(options)
  for (const file of files) {
    const ledger = new Ledger(join(dirname(options.ledgerFile), file))
    await forgetForeign(client, ledger)
    // What may not be deleted stays in the ledger: its suite reports it, and a later run may delete it.
    await cleanUp(client, ledger, options.useConventions === true)
  }
}

function clientOf({ target, apiKey, password, token, timeout, checks }: VerifyOptions): Client {
  const secrets = new Secrets()
  for (const secret of [apiKey, token, password]) secrets.add(secret)
  return new Client(
    target,
    { apiKey, token, ...(checks?.keyIn && { keyIn: checks.keyIn }) },
    timeout ?? 10_000,
    secrets,
  )
}

export { judge } from './judge.ts'
export { planOf } from './plan.ts'
export { toRecording } from './recording.ts'
export { fileReports, terminalReport } from './reports/index.ts'
export { rules } from './rules/index.ts'
