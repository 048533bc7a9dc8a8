import { createServer, type RequestListener } from 'node:http'
import type { AddressInfo } from 'node:net'
import { setTimeout as wait } from 'node:timers/promises'
import { rules } from '../rules/index.ts'
import { covers, type Scenario } from '../scenarios/index.ts'
import { cleanUp } from './clean-up.ts'
import { Client, type Exchange, TransportError } from './client.ts'
import { forgetForeign } from './forget-foreign.ts'
import { holdLaws, SentWrong } from './laws/laws.ts'
import { Ledger } from './ledger.ts'
import { defaults } from './lockstep/play-stories.ts'
import { lookFirst } from './look-first.ts'
import { credentialsOf, type Judgement, type JudgeOptions, secretsOf } from './options.ts'
import { Secrets } from './redact.ts'
import { selectedScenarios, skipReason } from './selection.ts'
import { ownPrefix, type Provided, Stage } from './stage.ts'
import { inProcess } from './transports/in-process.ts'
import { overHttp } from './transports/over-http.ts'
import type { Transport } from './transports/transport.ts'
import { Verdicts } from './verdicts.ts'

/** How long the request in flight may take once the judge is told to stop: what it creates should be noted. */
const graceMilliseconds = 2_000

/**
 * Judges a target by the document: every rule gets one verdict.
 *
 * @throws CannotJudge where the target is unreachable or not of this API.
 * @example
 * const { findings } = await judge({ target: 'http://127.0.0.1:6789', useConventions: true })
 */
export async function judge(options: JudgeOptions): Promise<Judgement> {
  const { target } = options
  if (typeof target === 'string') return judgeThrough(overHttp(target), options)
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
    return await judgeThrough(overHttp(`http://127.0.0.1:${port}`), options)
  } finally {
    server.closeAllConnections()
    server.close()
  }
}

async function judgeThrough(transport: Transport, options: JudgeOptions): Promise<Judgement> {
  const start = performance.now()
  const secrets = new Secrets(secretsOf(options))
  const ledger = new Ledger(options.ledgerFile)
  const client = new Client(transport, credentialsOf(options), options.timeout ?? 10_000, secrets)
  const checks = options.checks ?? (await lookFirst(client, options))
  const verdicts = new Verdicts((rule) => skipReason(rule, options, checks), secrets)
  const sent = new SentWrong()
  const hold = (exchange: Exchange) => holdLaws(exchange, verdicts.check.bind(verdicts), sent)
  for (const exchange of client.exchanges) hold(exchange)
  client.onExchange = hold
  await forgetForeign(client, ledger)
  const provided: Provided = {
    schedule: options.schedule,
    email: options.email,
    password: options.password,
    otherToken: options.otherToken,
    expiredToken: options.expiredToken,
    mayTrigger: options.allowDestructive === true,
    useConventions: options.useConventions === true && !options.readOnly,
    allowDestructive: options.allowDestructive === true,
    checksKeys: checks.keys,
    checksTokens: checks.tokens,
    stories: options.stories ?? defaults.stories,
    seed: options.seed ?? defaults.seed,
    shrink: options.shrink ?? true,
    concurrency: options.concurrency ?? defaults.concurrency,
  }
  const prefix = options.prefix ?? `${ownPrefix}${Date.now().toString(36)}`
  const stage = new Stage(client, verdicts, ledger, provided, prefix, options.signal)
  try {
    for (const scenario of selectedScenarios(options, checks)) {
      if (options.signal?.aborted) break
      await play(scenario, stage, options.signal)
    }
  } finally {
    await cleanUp(client, ledger, provided.useConventions)
  }
  options.onExchanges?.(client.exchanges)
  return {
    findings: verdicts.findings(),
    requests: client.requests,
    milliseconds: performance.now() - start,
    waited: client.waited,
    leftBehind: ledger.entries,
    checks,
    unsteady: verdicts.unsteadyRules,
    choices: verdicts.choices,
  }
}

async function play(scenario: Scenario, stage: Stage, signal: AbortSignal | undefined): Promise<void> {
  try {
    await untilStopped(scenario.run(stage), signal)
  } catch (error) {
    const ids = rules.filter((rule) => covers(scenario, rule)).map(({ id }) => id)
    stage.verdicts.notReached(ids, explain(error))
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
function explain(error: unknown): string {
  if (error instanceof TransportError) return error.message
  if (error instanceof DOMException && error.name === 'AbortError') return 'The judge was told to stop.'
  return `The scenario could not follow the replies: ${error instanceof Error ? error.message : String(error)}`
}
