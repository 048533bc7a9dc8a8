import { tryParseJson } from '../../src/shared/json.ts'
import { type Profile, SequenceModel } from '../model-based/model.ts'
import { type Client, TransportError } from './client.ts'
import { ForeignWrite } from './foreign-records.ts'
import { checkInvariants, InvalidSentValues } from './invariants/invariants.ts'
import { isObject } from './is-object.ts'
import type { MadeRecord } from './record-variables.ts'
import type { Secrets } from './redact.ts'
import { type FailedInvariant, type ReplayedFinding, showsAgain } from './replayed-deviation.ts'
import { isError } from './replies.ts'
import { requestScope } from './request-scope.ts'
import { type Made, madeBy } from './sent-requests.ts'
import { variable, withValues } from './shell.ts'
import {
  candidatesOf,
  existing,
  plainHeaders,
  type Step,
  withCreators,
  withoutKey,
  withoutKeyInBody,
} from './steps.ts'

/** Maximum number of requests to find the shortest reproduction of one finding. */
const mostRequests = 320

/** Inputs of a replay. */
export interface ReplayOptions {
  readonly client: Client
  readonly prefix: string
  readonly profile: Profile | undefined
  readonly secrets: Secrets
}

/**
 * Sends parts of a play again, to the target and to a model, and finds the shortest that still shows the deviation: the
 * deciding replies must differ in the same place.
 */
export class Minimizer {
  readonly #options: ReplayOptions
  #count = 0
  #left = 0
  /** True if the session may have ended since the last sign-in. */
  #mayHaveEnded = true
  /** The steps before the deciding one that the target refused in the last replay that showed the finding. */
  #refused: ReadonlySet<Step> = new Set()

  constructor(options: ReplayOptions) {
    this.#options = options
  }

  /** Returns the shortest steps that show a finding; undefined if no replay shows it. */
  async shortest(steps: readonly Step[], finding: ReplayedFinding): Promise<readonly Step[] | undefined> {
    this.#left = mostRequests
    this.#mayHaveEnded = true
    for (const candidate of candidatesOf(steps)) {
      if (candidate.length > this.#left) return undefined
      if (!(await this.#shows(candidate, finding))) continue
      const last = candidate.slice(-1)
      const small = await this.#simplify(candidate, last, finding)
      const fewest = await this.#reduce(small, finding)
      const shortest = await this.#simplify(fewest, fewest, finding)
      return shortest.map((step) => (this.#refused.has(step) ? { ...step, isRefused: true } : step))
    }
    return undefined
  }

  /** Removes parts, large ones first, as long as the rest shows the finding. */
  async #reduce(steps: readonly Step[], finding: ReplayedFinding): Promise<readonly Step[]> {
    let shortest = steps
    for (
      let size = Math.ceil((steps.length - 1) / 2);
      size >= 1;
      size = size === 1 ? 0 : Math.ceil(size / 2)
    ) {
      for (let end = shortest.length - 1; end > 0; end -= size) {
        const [before, last] = [shortest.slice(0, -1), shortest.at(-1)]
        if (last === undefined || this.#left < shortest.length) return shortest
        const rest = before.filter((_, position) => position < end - size || position >= end)
        const shorter = [...withCreators(rest, last, before), last]
        if (shorter.length < shortest.length && (await this.#shows(shorter, finding))) {
          shortest = shorter
          end = Math.min(end, shortest.length - 1 + size)
        }
      }
    }
    return shortest
  }

  /** Takes simpler forms of some steps, as long as they show the finding. */
  async #simplify(
    steps: readonly Step[],
    which: readonly Step[],
    finding: ReplayedFinding,
  ): Promise<readonly Step[]> {
    let simplest = steps
    for (const step of which) {
      let current = step
      for (const change of simplerForms(step)) {
        const simpler = change(current)
        if (simpler === current) continue
        const changed = simplest.map((each) => (each === current ? simpler : each))
        if (this.#left < changed.length || !(await this.#shows(changed, finding))) continue
        simplest = changed
        current = simpler
      }
    }
    return simplest
  }

  async #shows(steps: readonly Step[], finding: ReplayedFinding): Promise<boolean> {
    try {
      // The caller knows the violations already, so the replies need no second check.
      return await requestScope.run(
        () => undefined,
        async () => {
          await this.#signIn(steps)
          return this.#replay(steps, finding)
        },
      )
    } catch (error) {
      if (error instanceof ForeignWrite) return false
      if (error instanceof TransportError) return finding.exchange.body === undefined
      throw error
    }
  }

  /** Opens a session if the last one has ended: a script opens its own. */
  async #signIn(steps: readonly Step[]): Promise<void> {
    const mayEnd = steps.some(({ path }) => path.startsWith('/api/sessions'))
    if (this.#mayHaveEnded) await this.#options.client.send('GET', '/api/pipelines')
    this.#mayHaveEnded = mayEnd
  }

  /** The headers of a step with the tokens of the present session. */
  #withSession(headers: Step['credentials']): Step['credentials'] {
    const { client, secrets } = this.#options
    const { token, raw } = client.credentials
    const present = new Map(
      Object.entries({ UNDERSTUDY_TOKEN: token, UNDERSTUDY_RAW_TOKEN: raw }).filter(
        (entry): entry is [string, string] => entry[1] !== undefined,
      ),
    )
    return Object.fromEntries(
      Object.entries(headers).map(([name, value]) => [
        name,
        withValues(secrets.replace(value, variable), present) ?? value,
      ]),
    )
  }

  /** Sends steps to the target and to a model, which gets no step that the target has refused before. */
  async #replay(steps: readonly Step[], finding: ReplayedFinding): Promise<boolean> {
    const { client, prefix, profile } = this.#options
    const model = new SequenceModel(profile)
    const run = `${prefix}r${++this.#count}x`
    const [target, modelled]: [Values, Values] = [new Map([['RUN', run]]), new Map([['RUN', run]])]
    const invalidSent = new InvalidSentValues()
    const refused = new Set<Step>()
    for (const step of steps) {
      if (step.existing !== undefined) target.set(existing, step.existing)
      const request = withVariables(step, target)
      if (request === undefined) return false
      this.#left--
      const exchange = await client.send(step.method, request.path, {
        credentials: false,
        headers: this.#withSession(step.credentials),
        ...bodyOf(request.body),
      })
      const isLast = step === steps.at(-1)
      const failed: FailedInvariant[] = []
      checkInvariants(
        exchange,
        (rule, holds, _, received) => holds || failed.push({ rule, received }),
        invalidSent,
      )
      if (!isLast && isError(exchange)) refused.add(step)
      const resolvedStep = refused.has(step) ? undefined : withVariables(step, modelled)
      const predicted =
        resolvedStep &&
        (await model.predict(
          step.method,
          withoutKey(resolvedStep.path),
          withoutKeyInBody(bodyOf(resolvedStep.body).body),
        ))
      if (isLast) {
        const isShown = showsAgain(
          finding,
          { exchange, failed, body: exchange.body, values: withMade(step, exchange.body, target) },
          predicted && { body: predicted.body, values: withMade(step, predicted.body, modelled) },
        )
        if (isShown) this.#refused = refused
        return isShown
      }
      if (step.makes === undefined) continue
      setValues(step.makes, madeBy(step.method, exchange.body), target)
      if (predicted !== undefined) setValues(step.makes, madeBy(step.method, predicted.body), modelled)
    }
    return false
  }
}

type Values = Map<string, string>

/** Returns the path and the body of a step; undefined if a variable has no value. */
function withVariables(step: Step, values: Values): { path: string; body: string | undefined } | undefined {
  const [path, body] = [withValues(step.path, values), withValues(step.body ?? '', values)]
  if (path === undefined || body === undefined) return undefined
  return { path, body: step.body === undefined ? undefined : body }
}

/** The values with the number that the last step has created, unless it is the number of an earlier record. */
function withMade({ method, makes }: Step, body: unknown, values: Values): Values {
  const id = makes === undefined ? undefined : madeBy(method, body)?.id
  const isKnown = id === undefined || [...values.values()].includes(String(id))
  return isKnown ? values : new Map([...values, ['NEW', String(id)]])
}

/** Sets the variables of a record that a step has created. */
function setValues({ kind, name }: MadeRecord, made: Made | undefined, values: Values): void {
  const key = kind === 'PIPELINE' ? made?.uuid : made?.id
  if (key !== undefined) values.set(name, String(key))
  if (made?.token !== undefined) values.set(`TOKEN_${name}`, made.token)
}

/**
 * Simplifications of a step: without a header that carries no credential, 1 for a number in its query, and its record
 * without all optional attributes but the first, without one of them, or with one member in an object.
 */
function simplerForms(step: Step): ((step: Step) => Step)[] {
  const { path, credentials } = step
  const numbers = path.match(/(?<=[?&]\w+=)(?:[5-9]|\d\d+)(?=&|$)/g) ?? []
  const optional = Object.keys(recordOf(step)).filter((name) => !['name', 'type'].includes(name))
  const omissions = [optional.slice(1), ...optional.map((name) => [name])]
  return [
    ...Object.keys(plainHeaders(credentials)).map((header) => (each: Step) => {
      const { [header]: _, ...rest } = each.credentials
      return { ...each, credentials: rest }
    }),
    ...numbers.map((number) => (each: Step) => ({ ...each, path: each.path.replace(`=${number}`, '=1') })),
    ...omissions.map((names) => (each: Step) => without(each, names)),
    ...optional.map((name) => (each: Step) => withFirstMember(each, name)),
  ]
}

/** The record in a body, with its key; the whole body of a trigger. */
function recordIn(path: string, body: string) {
  const sent = tryParseJson(body.replaceAll(markOfVariable, escaped))
  if (!isObject(sent)) return undefined
  if (path.includes('/pipeline_runs/')) return { sent, key: undefined, record: sent }
  const found = Object.entries(sent).find(([, value]) => isObject(value))
  return found && isObject(found[1]) ? { sent, key: found[0], record: found[1] } : undefined
}

/** The record in the body of a step; empty if there is none. */
function recordOf({ path, body = '' }: Step): Readonly<Record<string, unknown>> {
  return recordIn(path, body)?.record ?? {}
}

/** A step without some attributes of its record; the same step if it has none of them. */
function without(step: Step, names: readonly string[]): Step {
  const record = recordOf(step)
  if (!names.some((name) => name in record)) return step
  return withRecord(
    step,
    Object.fromEntries(Object.entries(record).filter(([name]) => !names.includes(name))),
  )
}

/** A step with only the first member of an object in its record; the same step if the object has no other member. */
function withFirstMember(step: Step, name: string): Step {
  const record = recordOf(step)
  const members = isObject(record[name]) ? Object.entries(record[name]) : []
  if (members.length < 2) return step
  return withRecord(step, { ...record, [name]: Object.fromEntries(members.slice(0, 1)) })
}

/** A step with another record in its body. */
function withRecord(step: Step, record: Readonly<Record<string, unknown>>): Step {
  const { sent, key } = recordIn(step.path, step.body ?? '') ?? {}
  const text = JSON.stringify(key === undefined ? record : { ...sent, [key]: record })
  return { ...step, body: text.replaceAll(/\\u000[12]/g, (mark) => JSON.parse(`"${mark}"`)) }
}

/** The marks of variables are no part of a JSON text. */
const markOfVariable = /[\u0001\u0002]/g
const escaped = (mark: string) => JSON.stringify(mark).slice(1, -1)

/** Returns a body as a value, or as a text if it is not JSON. */
function bodyOf(text: string | undefined): { readonly body?: unknown; readonly text?: string } {
  if (text === undefined) return {}
  const body = tryParseJson(text)
  return body === undefined ? { text } : { body }
}
