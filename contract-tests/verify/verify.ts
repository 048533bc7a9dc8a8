import { existsSync } from 'node:fs'
import { readTextFile } from '../../src/files/read-file.ts'
import { writeUserFile } from '../../src/files/write-file.ts'
import { version } from '../../src/shared/version.ts'
import { counted, type Report } from '../reports/report.ts'
import type { Source } from '../rules/index.ts'
import { checkTarget } from '../runner/check-target.ts'
import { CleanupLog } from '../runner/cleanup-log.ts'
import type { Client } from '../runner/client.ts'
import { pipelinePath } from '../runner/left-behind.ts'
import type { CheckOptions, CheckResult } from '../runner/options.ts'
import { newRunId } from '../runner/run-id.ts'
import { checkSelection } from '../runner/selection.ts'
import { withoutUser } from '../runner/transports/over-http.ts'
import type { Finding } from '../runner/verdicts.ts'
import { markUnused, operationUses, readUsage } from '../traffic/usage.ts'
import {
  applyBaseline,
  type Baseline,
  type BaselineFile,
  type Mode,
  parseBaseline,
  parseBaselineFile,
  updateBaseline,
  withReasons,
} from './baseline.ts'
import { cleanLeftovers, leftovers, openCleanupLog } from './cleanup-log-files.ts'
import { checkReports, finish, type Verified } from './finish.ts'

/** Options of `pipeline-understudy verify`. */
export interface VerifyOptions extends CheckOptions {
  /** A base URL. */
  readonly target: string
  /** The command line, without secrets, for the reports. */
  readonly command?: string
  /** A file of known deviations. */
  readonly baseline?: string | undefined
  /** Writes the deviations of the run into the baseline; new ones without a reason. */
  readonly updateBaseline?: boolean | undefined
  /** The sources of rules that affect the exit code besides `specified`. Default: none. */
  readonly strict?: readonly Source[] | undefined
  /** Files to write, by the name of the report: junit, json, html, sarif, github, gitlab, markdown. */
  readonly reports?: Readonly<Record<string, string>> | undefined
  /** HAR files, or JSON files with usage maps: accepts deviations that these consumers do not use. */
  readonly usedBy?: readonly string[] | undefined
  /** A folder for a script for each finding that shows the deviation. */
  readonly reproductions?: string | undefined
  /** The folder for logs of the created records. Default: the folder for temporary files. */
  readonly temporary?: string | undefined
}

/**
 * Thrown if `signal` stopped the run, after deleting the created records.
 *
 * @example
 * await expect(verify({ target, signal: AbortSignal.timeout(60_000) })).rejects.toThrow(Interrupted)
 */
export class Interrupted extends Error {
  /** The records that remain. */
  readonly leftBehind: readonly string[]

  constructor(leftBehind: readonly string[]) {
    super('Interrupted.')
    this.leftBehind = leftBehind
  }
}

/** The cleanup logs of the runs of this process that have not ended. */
const open = new Set<CleanupLog>()

/**
 * Verifies the server at a base URL and writes reports.
 *
 * @throws CannotVerify if the target is unreachable or does not serve this API.
 * @example
 * const { report, exitCode } = await verify({ target: 'http://127.0.0.1:6789' })
 */
export async function verify(options: VerifyOptions): Promise<Verified> {
  checkReports(options.reports)
  checkSelection(options)
  const usage = options.usedBy === undefined ? undefined : await readUsage(options.usedBy)
  const baselineOf = await openBaseline(options)
  const target = withoutUser(options.target).base
  const id = newRunId(options.prefix)
  // A run that only reads creates nothing and deletes nothing.
  const cleanupLog = options.readOnly ? new CleanupLog() : openCleanupLog(target, id, options.temporary)
  const earlier = options.readOnly ? undefined : leftovers(target, options.temporary)
  let leftEarlier: readonly string[] = []
  const onPreflight = async (client: Client) => {
    if (earlier !== undefined)
      leftEarlier = await cleanLeftovers(earlier, client, options.useConventions === true)
  }
  open.add(cleanupLog)
  try {
    const checking = checkTarget(options, { id, cleanupLog, onPreflight })
    const result = await unlessAborted(checking, cleanupLog, options.signal)
    const leftBehind = result.leftBehind.map(({ path }) => path)
    if (options.signal?.aborted) throw new Interrupted(leftBehind)
    const mode = result.checks.keys || result.checks.tokens ? 'login' : 'open'
    const compared = applyBaseline(result.findings, baselineOf(result.findings, mode), mode)
    const report = toReport({ ...options, target }, result, {
      leftBehind,
      notes: [...(earlier?.notes ?? []), ...noteEarlier(leftEarlier, target)],
      ...compared,
      ...(usage && { findings: markUnused(compared.findings, usage), usage: operationUses(usage) }),
    })
    return finish(report, options.reports, options.reproductions)
  } finally {
    open.delete(cleanupLog)
  }
}

/** Reads the baseline before the first request; the result gives the one for the findings, and may update its file. */
async function openBaseline({
  baseline: path,
  updateBaseline: isUpdate = false,
  target,
}: VerifyOptions): Promise<(findings: readonly Finding[], mode: Mode) => Baseline | undefined> {
  if (path === undefined) {
    if (isUpdate) throw new Error('--update-baseline requires --baseline.')
    return () => undefined
  }
  if (!isUpdate) {
    const baseline = parseBaseline(readBaseline(path), path)
    return () => baseline
  }
  const text = readBaseline(path, { target: withoutUser(target).base, deviations: [] })
  const before = parseBaselineFile(text, path)
  return (findings, mode) => {
    const after = updateBaseline(before, findings, mode)
    writeUserFile(path, `${JSON.stringify(after, null, 2)}\n`)
    return withReasons(after)
  }
}

/** Returns the text of a baseline; that of `missing` if there is no such file. */
export function readBaseline(file: string, missing?: BaselineFile): string {
  const isMissing = !existsSync(file)
  if (isMissing && missing !== undefined) return JSON.stringify(missing)
  return readTextFile(file, `the baseline ${file}`, isMissing ? ' Pass --update-baseline to write it.' : '')
}

function noteEarlier({ length }: readonly string[], target: string): string[] {
  if (length === 0) return []
  return [
    `Earlier runs have left ${counted(length, 'record')}. Delete them with: pipeline-understudy verify ${target} --clean --use-conventions`,
  ]
}

function toReport(
  { target, strict = [], command = `verify ${target}` }: VerifyOptions,
  { run, requests, slowed, milliseconds, waited, harm, drawn, choices }: CheckResult,
  found: Pick<Report, 'findings' | 'gone' | 'leftBehind' | 'notes' | 'usage'>,
): Report {
  return {
    target,
    run,
    command,
    version,
    strict,
    requests,
    slowed,
    milliseconds,
    waited,
    harm,
    drawn,
    choices,
    ...found,
  }
}

/** The paths of what this process has created and not yet deleted. */
export function leftNow(): string[] {
  return [...open].flatMap(({ pipelines }) => pipelines.map(pipelinePath))
}

/**
 * Deletes the records that killed runs have left on a target, and returns those that stay.
 *
 * @throws CannotVerify if the target is unreachable or does not serve this API.
 */
export async function clean(
  options: VerifyOptions,
): Promise<{ left: readonly string[]; notes: readonly string[] }> {
  const target = withoutUser(options.target).base
  const found = leftovers(target, options.temporary)
  let left: readonly string[] = []
  const onPreflight = async (client: Client) => {
    left = await cleanLeftovers(found, client, options.useConventions === true)
  }
  const id = newRunId()
  await checkTarget(
    { ...options, readOnly: true, scenarios: [] },
    { id, cleanupLog: new CleanupLog(), onPreflight },
  )
  return { left, notes: found.notes }
}

/** Waits for the verifier; before the first creation, no longer than until the signal aborts. */
async function unlessAborted<Value>(
  value: Promise<Value>,
  cleanupLog: CleanupLog,
  signal: AbortSignal | undefined,
): Promise<Value> {
  if (signal === undefined) return value
  let onAbort = () => {}
  const aborted = new Promise<never>((_, reject) => {
    onAbort = () => {
      if (cleanupLog.pipelines.length === 0) reject(new Interrupted([]))
    }
    signal.addEventListener('abort', onAbort)
  })
  try {
    return await Promise.race([value, aborted])
  } finally {
    signal.removeEventListener('abort', onAbort)
  }
}
