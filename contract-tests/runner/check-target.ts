import { randomInt } from 'node:crypto'
import { createServer, type RequestListener } from 'node:http'
import type { AddressInfo } from 'node:net'
import { setTimeout as wait } from 'node:timers/promises'
import { noteMissing } from '../model-based/missing-preconditions.ts'
import { defaults, runSequences } from '../model-based/run-sequences.ts'
import { covers, type SequenceGroup, sequenceGroups } from '../model-based/sequence-groups.ts'
import { type Rule, rules } from '../rules/index.ts'
import { addReproductions } from './add-reproductions.ts'
import { cleanUp, noteUnanswered } from './clean-up.ts'
import { CleanupLog } from './cleanup-log.ts'
import { Client, type Exchange, orNothing, TransportError } from './client.ts'
import { CreatedRecords } from './created-records.ts'
import { ForeignRecords } from './foreign-records.ts'
import { type Health, harmSince, readHealth } from './health.ts'
import { checkInvariants, InvalidSentValues } from './invariants/invariants.ts'
import { pipelinePath, pipelinesLeft, runsLeft, tokensLeft } from './left-behind.ts'
import { TooMuchRead } from './limits.ts'
import { Minimizer } from './minimize.ts'
import { type CheckOptions, type CheckResult, credentialsOf, secretsOf } from './options.ts'
import { Pace } from './pace.ts'
import { runPreflight } from './preflight.ts'
import { ProgressReporter } from './progress.ts'
import { Secrets } from './redact.ts'
import { requestScope } from './request-scope.ts'
import { type Provided, RunContext } from './run-context.ts'
import { newRunId, type RunId } from './run-id.ts'
import { checkSelection, selectedGroups, skipReasons } from './selection.ts'
import { inProcess } from './transports/in-process.ts'
import { overHttp } from './transports/over-http.ts'
import type { Transport } from './transports/transport.ts'
import { type Cause, Verdicts } from './verdicts.ts'

/** Time for the request in progress after an abort, to record what it creates. */
const graceMilliseconds = 2_000

/** The reason why rules have no result after an abort. */
const abortedText = 'The verifier was stopped.'

/** Prepared by the caller: the run id, the cleanup log, and a callback after the preflight requests. */
export interface Prepared {
  readonly id: RunId
  readonly cleanupLog: CleanupLog
  readonly onPreflight?: (client: Client) => Promise<void>
}

/**
 * Checks a target against the specification. Every rule gets one verdict.
 *
 * @throws CannotVerify where the target is unreachable or not of this API, Error where a scenario or glob matches nothing.
 * @example
 * const { findings } = await checkTarget({ target: 'http://127.0.0.1:6789', useConventions: true })
 */
export async function checkTarget(options: CheckOptions, prepared?: Prepared): Promise<CheckResult> {
  checkSelection(options)
  const { target } = options
  if (typeof target === 'string') return checkOverHttp(target, options, prepared)
  if (typeof target === 'function') return checkListener(target, options)
  return checkThrough(inProcess(target), options)
}

async function checkListener(listener: RequestListener, options: CheckOptions): Promise<CheckResult> {
  // One server for all requests: supertest would start one for each.
  const server = createServer(listener)
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  try {
    // A server that listens on a port has an address of this form.
    const { port } = server.address() as AddressInfo
    return await checkOverHttp(`http://127.0.0.1:${port}`, options)
  } finally {
    server.closeAllConnections()
    server.close()
  }
}

async function checkOverHttp(url: string, options: CheckOptions, prepared?: Prepared): Promise<CheckResult> {
  const transport = overHttp(url, options.ca)
  try {
    return await checkThrough(transport, options, prepared)
  } finally {
    transport.close()
  }
}

async function checkThrough(
  transport: Transport,
  options: CheckOptions,
  prepared?: Prepared,
): Promise<CheckResult> {
  const start = performance.now()
  const { run, prefix } = prepared?.id ?? idOf(options)
  const cleanupLog = prepared?.cleanupLog ?? new CleanupLog()
  const secrets = new Secrets(secretsOf(options))
  const timeout = options.timeout ?? 10_000
  const client = new Client(transport, credentialsOf(options), timeout, secrets, new Pace(options.delay))
  const until = options.minutes === undefined ? undefined : start + options.minutes * 60_000
  const progress = options.onProgress && new ProgressReporter(start, until, options.onProgress)
  const first: Exchange[] = []
  let onExchange = (exchange: Exchange): unknown => first.push(exchange)
  client.onExchange = (exchange) => {
    options.onExchange?.(exchange)
    onExchange(exchange)
    progress?.count(client.requests)
  }
  const { pipelines, deviation, ...checks } = await runPreflight(client, options)
  // Records of earlier runs, and whether the target deletes them, are no evidence for a rule.
  onExchange = () => undefined
  await prepared?.onPreflight?.(client)
  const found = new AbortController()
  const signal = options.signal ? AbortSignal.any([options.signal, found.signal]) : found.signal
  const verdicts = new Verdicts({
    skips: skipReasons(options, checks),
    secrets,
    prefix,
    ...(options.bail && { onDeviation: () => found.abort() }),
    historyOf: (exchange) => client.sent.historyOf(exchange),
  })
  const invalidSent = new InvalidSentValues()
  const checkReply = (exchange: Exchange) =>
    checkInvariants(exchange, requestScope.getStore() ?? verdicts.check.bind(verdicts), invalidSent)
  const foreignRecords = new ForeignRecords(pipelines, prefix)
  const createdRecords = new CreatedRecords(cleanupLog, pipelines)
  for (const exchange of first.splice(0)) {
    createdRecords.note(exchange)
    checkReply(exchange)
  }
  client.guard = (method, path) => foreignRecords.guard(method, path, (list) => client.send('GET', list))
  client.onTooMuch = (reason) => found.abort(reason)
  client.onSend = (method, path, body) => createdRecords.expect(method, path, body)
  onExchange = (exchange) => {
    createdRecords.note(exchange)
    foreignRecords.note(exchange)
    checkReply(exchange)
  }
  if (deviation !== undefined) {
    const { id, exchange, received, expected } = deviation
    verdicts.check(id, false, exchange, received, { described: expected })
  }
  const { target: _, ...given } = options
  const provided: Provided = {
    ...given,
    useConventions: options.useConventions === true && !options.readOnly,
    seed: options.seed ?? (until === undefined ? defaults.seed : randomInt(2 ** 31)),
    shrink: options.shrink ?? true,
    concurrency: options.concurrency ?? defaults.concurrency,
    confirm: options.confirm ?? options.bail !== true,
    until,
    before: pipelines,
    foreignRecords,
    checksKeys: checks.keys,
    checksTokens: checks.tokens,
  }
  const context = new RunContext({ client, verdicts, cleanupLog, provided, prefix, signal })
  const everyRule = rules.map(({ id }) => id)
  const { blocks } = deviation ?? {}
  if (blocks !== undefined) verdicts.notReached(everyRule, blocks, 'replies')
  const played = blocks === undefined ? selectedGroups(options, checks) : []
  const harm: string[] = []
  let silence: string | undefined
  try {
    const healthy = options.readOnly || blocks !== undefined ? undefined : await orNothing(readHealth(client))
    for (const [index, group] of played.entries()) {
      if (signal.aborted) break
      progress?.begin(group.name, index, played.length, context.sequenceProgress)
      progress?.count(client.requests)
      await runGroup(group, context, signal)
      silence = await silenceOf(client)
      if (silence !== undefined) break
    }
    if (silence !== undefined) verdicts.notReached(everyRule, silence, 'failure')
    if (signal.aborted) verdicts.notReached(everyRule, explain(signal.reason).missing, 'failure')
    const isPlayed = (rule: Rule) => played.some((group) => covers(group, rule))
    noteMissing(context, rules.filter(isPlayed))
    const others = sequenceGroups.filter((group) => !played.includes(group))
    const unplayed = rules.filter((rule) => others.some((group) => covers(group, rule)))
    verdicts.notReached(
      unplayed.map(({ id }) => id),
      options.readOnly
        ? 'Only requests that write show it. Omit --read-only.'
        : 'Only scenarios that were not selected check it.',
      'need',
    )
    if (healthy !== undefined && silence === undefined && !signal.aborted)
      harm.push(...(await harmOf(client, healthy, provided)))
    // Replays create pipelines, which only the conventions can delete.
    const mayReplay = provided.useConventions && provided.shrink && provided.confirm
    await addReproductions(verdicts, {
      source: {
        base: client.base,
        secrets,
        signsIn: options.email !== undefined && options.password !== undefined,
        decode: client.credentials.encoding?.command,
      },
      prefix,
      credentials: client.plainHeaders,
      minimizer:
        mayReplay && silence === undefined && !signal.aborted
          ? new Minimizer({ client, prefix, profile: options.profile, secrets })
          : undefined,
    })
  } finally {
    if (!options.readOnly && silence === undefined && client.tooMuch === undefined)
      await noteUnanswered(client, cleanupLog, { run, prefix }, pipelines)
    await cleanUp(client, cleanupLog, { ...provided, prefix })
  }
  const isAnswering = silence === undefined && client.tooMuch === undefined
  const leftBehind = isAnswering
    ? [
        ...(await pipelinesLeft(client, cleanupLog.pipelines)),
        ...(await runsLeft(client, createdRecords.runs.values())),
        ...(await tokensLeft(client, createdRecords.rawTokens)),
      ]
    : cleanupLog.pipelines.map((uuid) => ({ kind: 'pipeline' as const, path: pipelinePath(uuid) }))
  return {
    run,
    findings: verdicts.findings(),
    requests: client.requests,
    slowed: client.slowed,
    milliseconds: performance.now() - start,
    waited: client.waited,
    leftBehind,
    harm,
    checks,
    drawn: { seed: provided.seed, sequences: context.sequenceProgress.drawn },
    flaky: verdicts.flakyRules,
    choices: verdicts.choices,
  }
}

/** Returns the given prefix alone, if there is one: a recording contains no other name. */
function idOf({ prefix }: CheckOptions): RunId {
  const id = newRunId()
  return prefix === undefined ? id : { ...id, prefix }
}

/** The reason to end the run: the target does not answer requests that it has answered before. */
async function silenceOf(client: Client): Promise<string | undefined> {
  if (client.unanswered === 0) return undefined
  try {
    await client.send('GET', '/api/pipelines')
    return undefined
  } catch (error) {
    if (!(error instanceof TransportError)) throw error
    return `${error.message} It had answered that before: ${client.unanswered} requests in a row were given up, and no more were sent.`
  }
}

/** Returns the harm to a target that stopped answering: none unless the run sent requests that may harm it. */
async function harmOf(client: Client, healthy: Health, { allowDestructive }: Provided): Promise<string[]> {
  const gone = allowDestructive ? ['The target does not answer any more.'] : []
  return (await orNothing(harmSince(client, healthy))) ?? gone
}

/** Runs the sequences of a group. If they end early, notes the reason for the rules without a result. */
async function runGroup(
  group: SequenceGroup,
  context: RunContext,
  signal: AbortSignal | undefined,
): Promise<void> {
  try {
    await untilStopped(runSequences(context, group.name), signal)
  } catch (error) {
    const ids = rules.filter((rule) => covers(group, rule)).map(({ id }) => id)
    const { missing, cause } = explain(error)
    context.verdicts.notReached(ids, missing, cause)
  }
}

/** Waits for a scenario; after an abort, only for the request in progress. */
async function untilStopped(played: Promise<void>, signal: AbortSignal | undefined): Promise<void> {
  if (signal === undefined) return played
  const over = new AbortController()
  const stopped = new Promise<void>((resolve, reject) => {
    const onAbort = () =>
      void wait(graceMilliseconds, undefined, over).then(() => reject(signal.reason), resolve)
    signal.addEventListener('abort', onAbort, { once: true })
    over.signal.addEventListener('abort', () => signal.removeEventListener('abort', onAbort))
  })
  try {
    await Promise.race([played, stopped])
  } finally {
    over.abort()
  }
}

/** Ends a scenario after a reply of unforeseen shape, but not the run: it must still delete its records. */
function explain(error: unknown): { missing: string; cause: Cause } {
  if (error instanceof TransportError || error instanceof TooMuchRead)
    return { missing: error.message, cause: 'failure' }
  if (error instanceof DOMException && error.name === 'AbortError')
    return { missing: abortedText, cause: 'failure' }
  const message = error instanceof Error ? error.message : String(error)
  // A full disk is no defect of the target.
  if (error instanceof Error && 'syscall' in error)
    return { missing: `Cannot write the cleanup log of created records: ${message}.`, cause: 'failure' }
  return { missing: `The scenario could not follow the replies: ${message}`, cause: 'replies' }
}
