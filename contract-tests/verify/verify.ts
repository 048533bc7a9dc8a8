import { accessSync, constants, existsSync, statSync } from 'node:fs'
import { readFile, writeFile } from 'node:fs/promises'
import { dirname, resolve } from 'node:path'
import type { Client } from '../judge/client.ts'
import { matchesGlob } from '../judge/glob.ts'
import { judge } from '../judge/judge.ts'
import { Ledger } from '../judge/ledger.ts'
import type { Judgement, JudgeOptions } from '../judge/options.ts'
import { newRunId } from '../judge/run-id.ts'
import { withoutUser } from '../judge/transports/over-http.ts'
import { fileReports, isReportName } from '../reports/index.ts'
import { exitCodeOf, type Report } from '../reports/report.ts'
import { isDerived } from '../rules/derived.ts'
import { type Basis, type Rule, rules } from '../rules/index.ts'
import { covers, scenarios } from '../scenarios/index.ts'
import { applyBaseline, parseBaseline } from './baseline.ts'
import { cleanLeftovers, leftovers, openLedger } from './ledger-files.ts'
import { mergeFindings } from './merge-findings.ts'
import { groupsOf } from './shards.ts'

/** What `understudy verify` is asked to do. */
export interface VerifyOptions extends JudgeOptions {
  readonly target: string
  /** A file of known deviations. */
  readonly baseline?: string | undefined
  /** Which bases decide besides what is stated. Default: none. */
  readonly strict?: readonly Basis[]
  /** Files to write, by the name of the report: junit, json, html, sarif, github. */
  readonly reports?: Readonly<Record<string, string>>
  /** A part of the scenarios, such as `1/4`; the parts' JSON reports can be merged. */
  readonly shard?: string | undefined
}

/** What came of it: 0 all hold or match the baseline, 1 deviations, 2 not everything could be judged. */
export interface Verified {
  readonly report: Report
  readonly exitCode: 0 | 1 | 2
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

/** The ledgers of the runs of this process that have not ended. */
const open = new Set<Ledger>()

/**
 * Judges a server by its base URL, and writes reports.
 *
 * @throws CannotJudge where the target is unreachable or not of this API.
 * @example
 * const { report, exitCode } = await verify({ target: 'http://127.0.0.1:6789' })
 */
export async function verify(options: VerifyOptions): Promise<Verified> {
  checkOptions(options)
  const names: readonly string[] = groupsOf(options.shard).flat()
  const baseline =
    options.baseline === undefined
      ? undefined
      : parseBaseline(await readFile(options.baseline, 'utf8'), options.baseline)
  const target = withoutUser(options.target).base
  const id = newRunId(options.prefix)
  // What sends nothing that writes leaves nothing, and deletes nothing.
  const ledger = options.readOnly ? new Ledger() : openLedger(target, id)
  const earlier = options.readOnly ? undefined : leftovers(target)
  let leftEarlier: readonly string[] = []
  const onFirstLook = async (client: Client) => {
    if (earlier !== undefined)
      leftEarlier = await cleanLeftovers(earlier, client, options.useConventions === true)
  }
  open.add(ledger)
  try {
    const judged = judge({ ...options, scenarios: names }, { id, ledger, onFirstLook })
    const judgement = await unlessAborted(judged, ledger, options.signal)
    const leftBehind = [...leftEarlier, ...judgement.leftBehind.map(({ path }) => path)]
    if (options.signal?.aborted) throw new Interrupted(leftBehind)
    const report = toReport({ ...options, target }, judgement, {
      leftBehind,
      notes: earlier?.notes ?? [],
      ...applyBaseline(
        judgement.findings.filter(({ rule }) => judges(names, rule)),
        baseline,
        judgement.checks.keys || judgement.checks.tokens ? 'login' : 'open',
      ),
    })
    return finish(report, options.reports)
  } finally {
    open.delete(ledger)
  }
}

function toReport(
  { target, strict = [] }: VerifyOptions,
  { run, requests, slowed, milliseconds, waited, harm }: Judgement,
  found: Pick<Report, 'findings' | 'gone' | 'leftBehind' | 'notes'>,
): Report {
  return { target, run, strict, requests, slowed, milliseconds, waited, harm, ...found }
}

/** The paths of what this process has created and not yet deleted. */
export function leftNow(): string[] {
  return [...open].flatMap(({ entries }) => entries.map(({ path }) => path))
}

/**
 * Deletes what runs that were killed have left on a target, and says what stays.
 *
 * @throws CannotJudge where the target is unreachable or not of this API.
 */
export async function clean(
  options: VerifyOptions,
): Promise<{ left: readonly string[]; notes: readonly string[] }> {
  const target = withoutUser(options.target).base
  const found = leftovers(target)
  let left: readonly string[] = []
  const onFirstLook = async (client: Client) => {
    left = await cleanLeftovers(found, client, options.useConventions === true)
  }
  const id = newRunId()
  await judge({ ...options, readOnly: true, scenarios: [] }, { id, ledger: new Ledger(), onFirstLook })
  return { left, notes: found.notes }
}

/**
 * Joins the JSON reports of several parts into one.
 *
 * @throws where a file is none, and names it.
 */
export async function mergeReports(
  files: readonly string[],
  reports?: Readonly<Record<string, string>>,
): Promise<Verified> {
  checkOptions({ reports: reports ?? {} })
  const parts = await Promise.all(files.map(readPart))
  const sum = (of: (part: Report) => number) => parts.reduce((total, part) => total + of(part), 0)
  const all = (of: (part: Report) => readonly string[]) => parts.flatMap(of)
  const report: Report = {
    target: parts[0]?.target ?? '',
    run: all(({ run }) => [run]).join(', '),
    strict: parts[0]?.strict ?? [],
    findings: mergeFindings(parts.map((part) => part.findings)),
    gone: all((part) => part.gone),
    requests: sum((part) => part.requests),
    slowed: sum((part) => part.slowed),
    milliseconds: sum((part) => part.milliseconds),
    waited: sum((part) => part.waited),
    leftBehind: all((part) => part.leftBehind),
    harm: all((part) => part.harm),
    notes: all((part) => part.notes),
  }
  return finish(report, reports)
}

async function readPart(file: string): Promise<Report> {
  const broken = (why: string) =>
    new Error(
      `[understudy] Expected a JSON report of \`verify\` in ${file}; found ${why}. Write it with --report json=FILE.`,
    )
  let value: unknown
  try {
    value = JSON.parse(await readFile(file, 'utf8'))
  } catch (error) {
    throw broken(error instanceof SyntaxError ? 'no JSON' : 'no file that can be read')
  }
  const report = value as Partial<Report> | null
  if (!Array.isArray(report?.findings) || typeof report.target !== 'string' || !Array.isArray(report.gone))
    throw broken('other JSON')
  // What an older report does not say is nothing.
  return { run: '', strict: [], slowed: 0, leftBehind: [], harm: [], notes: [], ...report } as Report
}

/** Refuses what could only fail, or mean nothing, once the target has been judged. */
function checkOptions({ only = [], reports = {} }: Pick<VerifyOptions, 'only' | 'reports'>): void {
  const unknown = Object.keys(reports).find((name) => !isReportName(name))
  if (unknown !== undefined) {
    throw new Error(`There is no report ${unknown}; there are ${Object.keys(fileReports).join(', ')}.`)
  }
  for (const [name, file] of Object.entries(reports)) {
    const why = whyUnwritable(file)
    if (why !== undefined)
      throw new Error(
        `[understudy] Expected a file that can be written for the report ${name}; found ${why}: ${file}.`,
      )
  }
  const idle = only.find((glob) => !rules.some(({ id }) => matchesGlob(id, glob)))
  if (idle !== undefined) {
    throw new Error(`No rule fits ${idle}; rules are named such as backfill-create/name. Try 'backfill-*'.`)
  }
}

function whyUnwritable(file: string): string | undefined {
  try {
    const path = resolve(file)
    if (existsSync(path) && statSync(path).isDirectory()) return 'a folder'
    accessSync(existsSync(path) ? path : dirname(path), constants.W_OK)
    return undefined
  } catch (error) {
    return `that it cannot be written (${(error as NodeJS.ErrnoException).code})`
  }
}

async function finish(report: Report, reports: Readonly<Record<string, string>> = {}): Promise<Verified> {
  const unwritten: string[] = []
  for (const [name, file] of Object.entries(reports)) {
    if (!isReportName(name)) continue
    try {
      await writeFile(file, fileReports[name](report))
    } catch (error) {
      // The others, and what the terminal shows, are not lost with it.
      unwritten.push(
        `The report ${name} could not be written: ${error instanceof Error ? error.message : error}`,
      )
    }
  }
  const exitCode = exitCodeOf(report)
  return {
    report: { ...report, notes: [...report.notes, ...unwritten] },
    exitCode: unwritten.length > 0 && exitCode === 0 ? 2 : exitCode,
  }
}

/** Tells whether one of the named scenarios judges a rule. */
function judges(names: readonly string[], rule: Rule): boolean {
  // Laws are held of whatever any scenario sends.
  return (
    isDerived(rule.id) ||
    scenarios.some((scenario) => names.includes(scenario.name) && covers(scenario, rule))
  )
}

/** Waits for the judge; as long as nothing was created, no longer than until the signal aborts. */
async function unlessAborted<Value>(
  value: Promise<Value>,
  ledger: Ledger,
  signal: AbortSignal | undefined,
): Promise<Value> {
  if (signal === undefined) return value
  let onAbort = () => {}
  const aborted = new Promise<never>((_, reject) => {
    onAbort = () => {
      if (ledger.entries.length === 0) reject(new Interrupted([]))
    }
    signal.addEventListener('abort', onAbort)
  })
  try {
    return await Promise.race([value, aborted])
  } finally {
    signal.removeEventListener('abort', onAbort)
  }
}
