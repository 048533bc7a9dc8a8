import { randomInt } from 'node:crypto'
import { createServer, type RequestListener } from 'node:http'
import type { AddressInfo } from 'node:net'
import { setTimeout as wait } from 'node:timers/promises'
import { rules } from '../rules/index.ts'
import { covers, type JudgeScenario, scenarios } from '../scenarios/index.ts'
import { asker } from './asker.ts'
import { cleanUp, noteUnanswered } from './clean-up.ts'
import { Client, type Exchange, TransportError } from './client.ts'
import { type Health, harmSince, readHealth } from './health.ts'
import { holdLaws, SentWrong } from './laws/laws.ts'
import { Ledger } from './ledger.ts'
import { defaults } from './lockstep/play-stories.ts'
import { lookFirst } from './look-first.ts'
import { credentialsOf, type Judgement, type JudgeOptions, secretsOf } from './options.ts'
import { Pace } from './pace.ts'
import { ProgressTeller } from './progress.ts'
import { Secrets } from './redact.ts'
import { writeReproduction } from './reproduction.ts'
import { newRunId, type RunId } from './run-id.ts'
import { checkSelection, selectedScenarios, skipReason } from './selection.ts'
import { type Provided, Stage } from './stage.ts'
import { Strangers } from './strangers.ts'
import { inProcess } from './transports/in-process.ts'
import { overHttp } from './transports/over-http.ts'
import type { Transport } from './transports/transport.ts'
import { type Cause, Verdicts } from './verdicts.ts'

/** How long the request in flight may take once the judge is told to stop: what it creates should be noted. */
const graceMilliseconds = 2_000

/** What a caller may prepare: who the run is, its ledger, and what is done once the target is known to be of this API. */
export interface Prepared {
  readonly id: RunId
  readonly ledger: Ledger
  readonly onFirstLook?: (client: Client) => Promise<void>
}

/**
 * Judges a target by the document: every rule gets one verdict.
 *
 * @throws CannotJudge where the target is unreachable or not of this API, Error where a scenario or glob stands for nothing.
 * @example
 * const { findings } = await judge({ target: 'http://127.0.0.1:6789', useConventions: true })
 */
export async function judge(options: JudgeOptions, prepared?: Prepared): Promise<Judgement> {
  checkSelection(options)
  const { target } = options
  if (typeof target === 'string') return judgeOverHttp(target, options, prepared)
  if (typeof target === 'function') return judgeListener(target, options)
  return judgeThrough(inProcess(target), options)
}

async function judgeListener(listener: RequestListener, options: JudgeOptions): Promise<Judgement> {
  // One server for all requests: supertest would start one for each.
  const server = createServer(listener)
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  try {
    // A server that listens on a port has an address of this form.
    const { port } = server.address() as AddressInfo
    return await judgeOverHttp(`http://127.0.0.1:${port}`, options)
  } finally {
    server.closeAllConnections()
    server.close()
  }
}

async function judgeOverHttp(url: string, options: JudgeOptions, prepared?: Prepared): Promise<Judgement> {
  const transport = overHttp(url)
  try {
    return await judgeThrough(transport, options, prepared)
  } finally {
    transport.close()
  }
}

async function judgeThrough(
  transport: Transport,
  options: JudgeOptions,
  prepared?: Prepared,
): Promise<Judgement> {
  const start = performance.now()
  const { run, prefix } = prepared?.id ?? idOf(options)
  const ledger = prepared?.ledger ?? new Ledger()
  const secrets = new Secrets(secretsOf(options))
  const timeout = options.timeout ?? 10_000
  const client = new Client(transport, credentialsOf(options), timeout, secrets, new Pace(options.delay))
  const until = options.minutes === undefined ? undefined : start + options.minutes * 60_000
  const progress = options.onProgress && new ProgressTeller(start, until, options.onProgress)
  const first: Exchange[] = []
  let onExchange = (exchange: Exchange): unknown => first.push(exchange)
  client.onExchange = (exchange) => {
    options.onExchange?.(exchange)
    onExchange(exchange)
    progress?.tell(client.requests)
  }
  const { pipelines, deviation, ...checks } = await lookFirst(client, options)
  // What earlier runs have left, and whether it goes, says nothing of the rules.
  onExchange = () => undefined
  await prepared?.onFirstLook?.(client)
  const found = new AbortController()
  const signal = options.signal ? AbortSignal.any([options.signal, found.signal]) : found.signal
  const signsIn = options.email !== undefined && options.password !== undefined
  const verdicts = new Verdicts({
    skips: (rule) => skipReason(rule, options, checks),
    secrets,
    ...(options.bail && { onBroken: () => found.abort() }),
    reproduce: (exchange, shown, steps) => {
      const played = { base: client.base, secrets, prefix, sent: client.sent.kept, signsIn }
      return writeReproduction(played, toSent(exchange), shown, steps?.map(toSent))
    },
  })
  const sentWrong = new SentWrong()
  const hold = (exchange: Exchange) =>
    holdLaws(exchange, asker.getStore() ?? verdicts.check.bind(verdicts), sentWrong)
  for (const exchange of first.splice(0)) hold(exchange)
  const strangers = new Strangers(pipelines, prefix)
  onExchange = (exchange) => {
    strangers.note(exchange)
    hold(exchange)
  }
  if (deviation !== undefined) {
    const { id, exchange, received, expected } = deviation
    verdicts.check(id, false, exchange, received, { described: expected })
  }
  const provided: Provided = {
    schedule: options.schedule,
    email: options.email,
    password: options.password,
    otherToken: options.otherToken,
    expiredToken: options.expiredToken,
    mayTrigger: options.allowDestructive === true,
    useConventions: options.useConventions === true && !options.readOnly,
    allowDestructive: options.allowDestructive === true,
    before: pipelines,
    strangers,
    checksKeys: checks.keys,
    checksTokens: checks.tokens,
    stories: options.stories,
    seed: options.seed ?? (until === undefined ? defaults.seed : randomInt(2 ** 31)),
    until,
    shrink: options.shrink ?? true,
    concurrency: options.concurrency ?? defaults.concurrency,
    isOneSightEnough: !(options.confirm ?? options.bail !== true),
    profile: options.profile,
    onPredicted: options.onPredicted,
  }
  const stage = new Stage(client, verdicts, ledger, provided, prefix, signal)
  const everyRule = rules.map(({ id }) => id)
  const { blocks } = deviation ?? {}
  if (blocks !== undefined) verdicts.notReached(everyRule, blocks, 'replies')
  const played = blocks === undefined ? selectedScenarios(options, checks) : []
  const harm: string[] = []
  let silence: string | undefined
  try {
    const healthy = options.readOnly || blocks !== undefined ? undefined : await orNothing(readHealth(client))
    for (const [index, scenario] of played.entries()) {
      if (signal.aborted) break
      progress?.begin(scenario.name, index, played.length, stage.told)
      progress?.tell(client.requests)
      await playTwice(scenario, stage, signal)
      silence = await silenceOf(client)
      if (silence !== undefined) break
    }
    if (silence !== undefined) verdicts.notReached(everyRule, silence, 'failure')
    const others = scenarios.filter((scenario) => !played.includes(scenario))
    const unplayed = rules.filter((rule) => others.some((scenario) => covers(scenario, rule)))
    verdicts.notReached(
      unplayed.map(({ id }) => id),
      options.readOnly
        ? 'Only scenarios that write judge it; leave out --read-only.'
        : 'Only scenarios that were left out judge it.',
      'need',
    )
    if (healthy !== undefined && silence === undefined && !signal.aborted)
      harm.push(...(await harmOf(client, healthy, provided)))
  } finally {
    if (!options.readOnly && silence === undefined)
      await noteUnanswered(client, ledger, { run, prefix }, pipelines)
    await cleanUp(client, ledger, { ...provided, prefix })
  }
  return {
    run,
    findings: verdicts.findings(),
    requests: client.requests,
    slowed: client.slowed,
    milliseconds: performance.now() - start,
    waited: client.waited,
    leftBehind: ledger.entries,
    harm,
    checks,
    drawn: { seed: provided.seed, stories: stage.told.drawn },
    unsteady: verdicts.unsteadyRules,
    choices: verdicts.choices,
  }
}

/** A run that was given a prefix names its records by it alone: a recording knows no other. */
function idOf({ prefix }: JudgeOptions): RunId {
  const id = newRunId()
  return prefix === undefined ? id : { ...id, prefix }
}

function toSent<
  Sent extends {
    readonly method: string
    readonly path: string
    readonly requestBody: unknown
    readonly credentials: Readonly<Record<string, string>>
  },
>({ method, path, requestBody, credentials }: Sent) {
  return { method, path, requestBody, credentials }
}

/** Why nothing more is asked of a target: it does not even answer what it has answered before. */
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

/** What a target does not answer can be asked no more of. */
async function orNothing<Value>(value: Promise<Value>): Promise<Value | undefined> {
  try {
    return await value
  } catch (error) {
    if (error instanceof TransportError) return undefined
    throw error
  }
}

/** A target that has gone away is harmed only where it was sent what may harm it. */
async function harmOf(client: Client, healthy: Health, { allowDestructive }: Provided): Promise<string[]> {
  const gone = allowDestructive ? ['The target does not answer any more.'] : []
  return (await orNothing(harmSince(client, healthy))) ?? gone
}

/** Plays a scenario, and once more from scratch where it has found something, unless one sight is to be enough. */
async function playTwice(
  scenario: JudgeScenario,
  stage: Stage,
  signal: AbortSignal | undefined,
): Promise<void> {
  if (stage.provided.isOneSightEnough || scenario.isPlayedOnce) return play(scenario, stage, signal)
  const trial = stage.verdicts.tryTwice()
  await play(scenario, stage, signal)
  if (trial.isNeeded && !signal?.aborted) {
    trial.beginAgain()
    await play(scenario, stage.again(), signal)
  }
  stage.verdicts.settle()
}

async function play(scenario: JudgeScenario, stage: Stage, signal: AbortSignal | undefined): Promise<void> {
  try {
    await untilStopped(scenario.run(stage), signal)
  } catch (error) {
    const ids = rules.filter((rule) => covers(scenario, rule)).map(({ id }) => id)
    const { missing, cause } = explain(error)
    stage.verdicts.notReached(ids, missing, cause)
  }
}

/** Waits for a scenario, and once the judge is told to stop only as long as the request in flight may take. */
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

/** A reply of an unforeseen shape ends a scenario, and never the run: what was created must still be deleted. */
function explain(error: unknown): { missing: string; cause: Cause } {
  if (error instanceof TransportError) return { missing: error.message, cause: 'failure' }
  if (error instanceof DOMException && error.name === 'AbortError')
    return { missing: 'The judge was told to stop.', cause: 'failure' }
  const message = error instanceof Error ? error.message : String(error)
  // A full disk is no matter of the target.
  if (error instanceof Error && 'syscall' in error)
    return { missing: `The ledger of what is created cannot be kept: ${message}.`, cause: 'failure' }
  return { missing: `The scenario could not follow the replies: ${message}`, cause: 'replies' }
}
