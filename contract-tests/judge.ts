import { createServer, type RequestListener } from 'node:http'
import type { AddressInfo } from 'node:net'
import { Client, type Credentials, type Exchange, isObject, TransportError } from './client.ts'
import { forgetForeign } from './forget-foreign.ts'
import { matchesGlob } from './glob.ts'
import { type Entry, Ledger } from './ledger.ts'
import { Secrets } from './redact.ts'
import { type Rule, rules } from './rules/index.ts'
import { decodedToken } from './scenarios/credentials.ts'
import { covers, type Scenario, scenarios } from './scenarios/index.ts'
import { isError, ownPrefix, type Provided, recordIn, type ScheduleNeed, Stage } from './stage.ts'
import { type Finding, Verdicts } from './verdicts.ts'

/** What is judged, and what the judge may do to it. */
export interface JudgeOptions {
  /** A base URL, or an application that supertest can call. */
  readonly target: string | RequestListener
  readonly apiKey?: string | undefined
  /** A decoded OAuth token, where no user is given. */
  readonly token?: string | undefined
  readonly email?: string | undefined
  readonly password?: string | undefined
  /** A schedule that may be triggered. */
  readonly schedule?: ScheduleNeed | undefined
  /** A token of another user. */
  readonly otherToken?: string | undefined
  /** A token of the user that has expired. */
  readonly expiredToken?: string | undefined
  readonly readOnly?: boolean
  /** The names of the scenarios to play; default: all. */
  readonly scenarios?: readonly string[]
  /** Globs of rule ids; the others are skipped. */
  readonly only?: readonly string[]
  /** The target may be damaged, and any schedule on it triggered. */
  readonly allowDestructive?: boolean
  /** The suite may create schedules and delete pipelines, which only the conventions describe. */
  readonly useConventions?: boolean
  /** Milliseconds each reply may take. Default 10,000. */
  readonly timeout?: number
  /** What the names of created records begin with. Default: made up from the time. */
  readonly prefix?: string
  /** Where the ledger of created records is kept while the suite runs. */
  readonly ledgerFile?: string | undefined
  /** Which credentials the target checks, where an earlier look has told; default: the judge looks. */
  readonly checks?: Judgement['checks']
  /** Given every exchange once the target is judged, with nothing redacted. */
  readonly onExchanges?: (exchanges: readonly Exchange[]) => void
}

/** What a judge found. */
export interface Judgement {
  readonly findings: readonly Finding[]
  readonly requests: number
  /** Time spent. */
  readonly milliseconds: number
  /** How much of it was waiting for replies. */
  readonly waited: number
  /** What was created and could not be deleted through what was allowed. */
  readonly leftBehind: readonly Entry[]
  readonly checks: {
    readonly keys: boolean
    readonly tokens: boolean
    readonly keyIn?: Credentials['keyIn']
  }
}

/** Thrown where a target cannot be judged at all: it is unreachable, or not of this API. */
export class CannotJudge extends Error {}

/**
 * Judges a target by the document: every rule gets one verdict.
 *
 * @throws CannotJudge where the target is unreachable or not of this API.
 * @example
 * const { findings } = await judge({ target: 'http://127.0.0.1:6789', useConventions: true })
 */
export async function judge(options: JudgeOptions): Promise<Judgement> {
  if (typeof options.target === 'string') return judgeAt(options.target, options)
  // One server for all requests: supertest would start one for each.
  const server = createServer(options.target)
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  try {
    return await judgeAt(`http://127.0.0.1:${(server.address() as AddressInfo).port}`, options)
  } finally {
    server.closeAllConnections()
    server.close()
  }
}

async function judgeAt(target: string, options: JudgeOptions): Promise<Judgement> {
  const start = performance.now()
  const secrets = new Secrets()
  for (const secret of [
    options.apiKey,
    options.token,
    options.password,
    options.otherToken,
    options.expiredToken,
    options.schedule?.token,
  ]) {
    secrets.add(secret)
  }
  const ledger = new Ledger(options.ledgerFile)
  const client = new Client(target, credentialsOf(options), options.timeout ?? 10_000, secrets)
  const checks = options.checks ?? (await lookFirst(client, options))
  await forgetForeign(client, ledger)
  const verdicts = new Verdicts((rule) => skipFlag(rule, options, checks), secrets)
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
  }
  const prefix = options.prefix ?? `${ownPrefix}${Date.now().toString(36)}`
  const stage = new Stage(client, verdicts, ledger, provided, prefix)
  try {
    for (const scenario of chosen(options, checks)) await play(scenario, stage)
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
  }
}

function credentialsOf({ apiKey, token, checks }: JudgeOptions): Credentials {
  return { apiKey, token, ...(checks?.keyIn && { keyIn: checks.keyIn }) }
}

/** Why a rule is not judged, where a flag or the target's own description says so. */
function skipFlag(rule: Rule, options: JudgeOptions, checks: Judgement['checks']): string | undefined {
  if (options.only?.length && !options.only.some((glob) => matchesGlob(rule.id, glob))) return '--only'
  if (options.readOnly && rule.effects !== 'reads') return '--read-only'
  if (rule.effects === 'destructive' && !options.allowDestructive) return 'no --allow-destructive'
  if (rule.needs.includes('api-key') && !checks.keys) return 'the target checks no API key'
  if (rule.needs.includes('login') && !checks.tokens) return 'the target checks no OAuth token'
  return undefined
}

function chosen(options: JudgeOptions, checks: Judgement['checks']): readonly Scenario[] {
  return scenarios.filter(
    (scenario) =>
      (options.scenarios?.includes(scenario.name) ?? true) &&
      (scenario.effects === 'reads' || !options.readOnly) &&
      rules.some((rule) => covers(scenario, rule) && skipFlag(rule, options, checks) === undefined),
  )
}

async function play(scenario: Scenario, stage: Stage): Promise<void> {
  try {
    await scenario.run(stage)
  } catch (error) {
    const ids = rules.filter((rule) => covers(scenario, rule)).map(({ id }) => id)
    stage.verdicts.notReached(ids, explain(error))
  }
}

/** A reply of an unforeseen shape ends a scenario, and never the run: what was created must still be deleted. */
function explain(error: unknown): string {
  if (error instanceof TransportError) return error.message
  return `The scenario could not follow the replies: ${error instanceof Error ? error.message : String(error)}`
}

/** Sees whether the target is reachable and of this API, signs in, and finds out which credentials it checks. */
export async function lookFirst(client: Client, options: JudgeOptions): Promise<Judgement['checks']> {
  try {
    let first = await client.send('GET', '/api/pipelines')
    if (isError(first) && options.apiKey !== undefined && first.error?.type !== 'unauthorized_access') {
      // The document states the query parameter; only its samples show the header.
      client.credentials = { ...client.credentials, keyIn: 'query' }
      const second = await client.send('GET', '/api/pipelines')
      if (isError(second) && second.error?.type === first.error?.type) {
        client.credentials = credentialsOf(options)
      } else first = second
    }
    if (!isObject(first.body)) {
      const kind = first.contentType.includes('html')
        ? 'HTML'
        : first.contentType || 'something without a content type'
      throw new CannotJudge(
        first.body === undefined
          ? `GET /api/pipelines answers ${kind} with HTTP ${first.httpStatus}; this API answers JSON.`
          : 'GET /api/pipelines answers JSON that is no object: this is another API.',
      )
    }
    if (!Array.isArray(first.body.pipelines) && !Number.isInteger(first.error?.code)) {
      throw new CannotJudge(
        'GET /api/pipelines answers JSON without pipelines or error: this is another API.',
      )
    }
    const { apiKey, email, password } = options
    const strangers = await client.send('GET', '/api/pipelines', {
      credentials: false,
      headers: { 'X-API-KEY': 'no-such-key' },
    })
    const keys = isError(strangers) && apiKey !== undefined && strangers.error?.type !== 'unauthorized_access'
    const keyOnly = await client.send('GET', '/api/pipelines', { credentials: 'key' })
    const tokens = isError(keyOnly)
    if (tokens && options.token === undefined && email !== undefined) {
      const opened = await client.send('POST', '/api/sessions', { body: { session: { email, password } } })
      const raw = recordIn(opened, 'session')?.token
      if (typeof raw !== 'string') {
        throw new CannotJudge(
          client.redact(
            `Signing in as ${email} failed: ${String(opened.error?.message ?? 'no token came back')}.`,
          ),
        )
      }
      client.credentials = { ...client.credentials, token: decodedToken(raw) }
    }
    if (isError(await client.send('GET', '/api/pipelines'))) {
      throw new CannotJudge(
        client.redact(
          `The target refuses the list of pipelines: ${String(first.error?.message)} Pass --api-key, and --email with --password.`,
        ),
      )
    }
    const { keyIn } = client.credentials
    return { keys, tokens, ...(keyIn && { keyIn }) }
  } catch (error) {
    if (error instanceof TransportError) throw new CannotJudge(client.redact(error.message))
    throw error
  }
}

/** Deletes what the suite created, newest first; pipelines and schedules only where the conventions may be used. */
export async function cleanUp(client: Client, ledger: Ledger, useConventions: boolean): Promise<void> {
  for (const { kind, path } of ledger.entries.toReversed()) {
    if ((kind === 'pipeline' || kind === 'schedule') && !useConventions) continue
    try {
      const reply = await client.send('DELETE', path)
      // An error about a record that is gone already is as good.
      if (reply.error === undefined || reply.code === 404 || reply.code === 400) ledger.deletedWithin(path)
    } catch (error) {
      if (!(error instanceof TransportError)) throw error
      return
    }
  }
}
