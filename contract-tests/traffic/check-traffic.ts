import { tryParseJson } from '../../src/shared/json.ts'
import type { ClientLint } from '../../src/traffic/client-lint.ts'
import {
  type ApiAddress,
  addressOf,
  type RecordedExchange,
  type RecordedReply,
} from '../../src/traffic/exchange.ts'
import type { Profile } from '../model-based/model.ts'
import { derivedRule } from '../rules/derived.ts'
import type { OperationId, Rule, RuleId } from '../rules/index.ts'
import type { InvariantCheck } from '../runner/invariants/invariant-check.ts'
import { checkInvariants, InvalidSentValues } from '../runner/invariants/invariants.ts'
import { isObject } from '../runner/is-object.ts'
import { operationOf } from '../runner/operation-of.ts'
import { type Exchange, toExchange } from '../runner/read-exchange.ts'
import { Secrets } from '../runner/redact.ts'
import { noReproduction } from '../runner/reproduction.ts'
import { formOf } from '../runner/value-forms.ts'
import { type Evidence, type Finding, Verdicts } from '../runner/verdicts.ts'
import { CredentialHistory } from './credential-history.ts'
import type { ReachedExchange, Unfollowed } from './followed-exchange.ts'
import { Follower, type TrafficCheck } from './follower.ts'
import { ignoredParts } from './ignored-parts.ts'
import { learnCredentials } from './learn-credentials.ts'
import { withOverlaps } from './overlaps.ts'
import { CreationModel } from './predict-creation.ts'

/** Counts of exchanges: read, checked, followed by the model; and the reasons for the others. */
export interface TrafficCounts {
  readonly read: number
  readonly checked: number
  readonly followed: number
  readonly unchecked: Readonly<Record<string, number>>
  readonly unfollowed: Readonly<Record<string, number>>
}

/** The result of checking recorded traffic. */
export interface CheckedTraffic {
  readonly findings: readonly Finding[]
  readonly counts: TrafficCounts
  readonly choices: Verdicts['choices']
}

/** Inputs of checking recorded traffic. */
export interface TrafficOptions {
  readonly profile?: Profile | undefined
  /** Receives every exchange of the API. */
  readonly lint?: ClientLint | undefined
  /** True for the known deviations of the server. */
  readonly isKnown?: ((rule: Rule, evidence: Evidence) => boolean) | undefined
  /** Called for the first unknown deviation of each rule, with the request. */
  readonly onViolation?: ((rule: Rule, request: string) => void) | undefined
  /** Called at the start, with a function that returns the result so far. */
  readonly onStart?: ((resultSoFar: () => CheckedTraffic) => void) | undefined
}

/** State of the checks of one server. */
interface ServerState {
  readonly follower: Follower
  readonly invalidSent: InvalidSentValues
  readonly credentials: CredentialHistory
}

/** Maximum number of described violations of a rule about single replies, for each operation and form of the value. */
const mostViolations = 100

const credentialHeaders = ['x-api-key', 'oauth-token', 'cookie', 'authorization'] as const

/** Checks recorded exchanges against the invariants, and against what earlier exchanges have shown. */
export async function checkTraffic(
  recordings: readonly AsyncIterable<RecordedExchange>[],
  { profile, isKnown = () => false, lint, onViolation, onStart }: TrafficOptions = {},
): Promise<CheckedTraffic> {
  const secrets = new Secrets()
  const announced = new Set<RuleId>()
  const verdicts = new Verdicts({
    skips: () => undefined,
    secrets,
    onDeviation(rule, evidence) {
      if (announced.has(rule.id) || isKnown(rule, evidence)) return
      announced.add(rule.id)
      onViolation?.(rule, evidence.request)
    },
  })
  const stepsBefore = new WeakMap<Exchange, readonly string[]>()
  const check: TrafficCheck = (id, exchange, flaw) => {
    if (flaw === undefined) return verdicts.check(id, true, exchange)
    stepsBefore.set(exchange, flaw.steps ?? [])
    verdicts.check(id, false, exchange, flaw.received, { expected: flaw.expected })
  }
  const violations = new Map<string, number>()
  const checkForm =
    (operation: OperationId): InvariantCheck =>
    (id, holds, exchange, ...observed) => {
      if (holds) return verdicts.check(id, true, exchange)
      // A server that violates a rule in each reply must not slow down the rest, nor hide its other deviations.
      const seen = observed.length === 0 ? exchange.body : observed[0]
      const violation = `${id} ${operation} ${formOf(seen)}`
      add(violations, violation)
      if (Number(violations.get(violation)) <= mostViolations)
        verdicts.check(id, false, exchange, ...observed)
    }
  const creations = new CreationModel(profile)
  const servers = new Map<string, ServerState>()
  const unchecked = new Map<string, number>()
  const unfollowed = new Map<Unfollowed, number>()
  let [read, checked, followed, latest] = [0, 0, 0, 0]
  const result = (): CheckedTraffic => {
    addCommands(verdicts, stepsBefore)
    return {
      findings: verdicts.findings(),
      counts: {
        read,
        checked,
        followed,
        unchecked: Object.fromEntries(unchecked),
        unfollowed: Object.fromEntries(unfollowed),
      },
      choices: verdicts.choices,
    }
  }
  onStart?.(result)
  for await (const { exchange: recorded, overlapping } of withOverlaps(recordings)) {
    read++
    const address = addressOf(recorded)
    const reached = address && operationOf(recorded.request.method, address.path)
    if (address === undefined || reached === undefined) {
      add(unchecked, 'of other hosts and paths')
      continue
    }
    // Readers sort exchanges within limits. Beyond these, their order is unknown.
    if (!recorded.isOrdered && recorded.startedAt < latest) servers.clear()
    latest = Math.max(latest, recorded.startedAt)
    const server = servers.get(address.server) ?? newServer(check, creations)
    servers.set(address.server, server)
    const exchange = readExchange(recorded, address, secrets)
    const current = { exchange, reached, at: recorded.startedAt }
    lint?.add(recorded, ignoredParts(exchange, reached))
    const lost = whyUnchecked(recorded.reply)
    if (lost !== undefined) {
      server.follower.lose(current)
      add(unchecked, lost)
      continue
    }
    checked++
    checkInvariants(exchange, checkForm(reached.facts.operation), server.invalidSent)
    checkCredentials(server.credentials, current, check)
    const others = overlapping.flatMap((other) => reachedOf(other, address.server, secrets))
    const reason = await server.follower.follow(current, others)
    if (reason === undefined) followed++
    else add(unfollowed, reason)
  }
  return result()
}

/** Returns why the reply shows nothing of the state of the server; `undefined` where it does. */
function whyUnchecked(reply: RecordedReply | undefined): string | undefined {
  if (reply === undefined) return 'without a reply'
  const isRedirect = reply.status >= 300 && reply.status < 400 && !reply.body
  if (isRedirect || reply.status === 304) return 'redirected, or answered by a cache'
  return reply.body === undefined ? 'without the body of the reply' : undefined
}

function newServer(check: TrafficCheck, creations: CreationModel): ServerState {
  return {
    follower: new Follower(check, creations),
    invalidSent: new InvalidSentValues(),
    credentials: new CredentialHistory(),
  }
}

function add<Key>(counts: Map<Key, number>, key: Key): void {
  counts.set(key, (counts.get(key) ?? 0) + 1)
}

function readExchange(recorded: RecordedExchange, { base, path }: ApiAddress, secrets: Secrets): Exchange {
  const { request, reply } = recorded
  const { method, headers, body } = request
  learnCredentials(recorded, secrets)
  const credentials: Record<string, string> = {}
  for (const name of credentialHeaders) {
    const value = headers[name]
    if (value !== undefined) credentials[name] = value
  }
  const sent = body === undefined || body === '' ? undefined : (tryParseJson(body) ?? body)
  if (isObject(sent)) secrets.learn(sent)
  const received = {
    status: reply?.status ?? 0,
    contentType: reply?.headers['content-type'] ?? '',
    text: reply?.body ?? '',
    date: reply?.headers.date,
    retryAfter: undefined,
  }
  return toExchange({ method, path, headers: credentials, body: undefined }, sent, received, base, secrets)
}

/** The other exchange, where it reached the same server. */
function reachedOf(recorded: RecordedExchange, server: string, secrets: Secrets): ReachedExchange[] {
  const address = addressOf(recorded)
  const reached = address && operationOf(recorded.request.method, address.path)
  if (address?.server !== server || reached === undefined) return []
  return [{ exchange: readExchange(recorded, address, secrets), reached, at: recorded.startedAt }]
}

/** Checks that the server treats the same credentials as before: accepted or refused. */
function checkCredentials(
  history: CredentialHistory,
  { exchange, reached: { facts, isDocumented }, at }: ReachedExchange,
  check: TrafficCheck,
): void {
  const before = history.add(facts.operation, exchange, at)
  const id = isDocumented ? derivedRule(facts.operation, 'credentials') : undefined
  if (id === undefined || before === undefined) return
  const isRefused = exchange.error !== undefined
  const received = isRefused ? { error: exchange.error } : exchange.body
  const expected = isRefused
    ? 'a success, as before with the same credentials'
    : 'an error, as before with the same credentials'
  check(id, exchange, { received, expected, steps: [before] })
}

/** Adds the request as a command to each finding. Recorded traffic cannot be minimized. */
function addCommands(verdicts: Verdicts, stepsBefore: WeakMap<Exchange, readonly string[]>): void {
  for (const reproducible of verdicts.reproducible()) {
    const { exchange } = reproducible
    const { curl } = exchange
    const steps = stepsBefore.get(exchange) ?? []
    verdicts.addReproduction(
      [reproducible],
      {
        ...noReproduction,
        curl,
        script: `#!/bin/sh\n${curl}\n`,
        steps,
      },
      reproducible.evidence,
    )
  }
}
