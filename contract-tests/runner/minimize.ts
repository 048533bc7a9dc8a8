import { type Profile, SequenceModel } from '../model-based/model.ts'
import { type Client, type Exchange, TransportError } from './client.ts'
import type { Difference } from './difference.ts'
import { isObject } from './is-object.ts'
import { requestScope } from './request-scope.ts'
import { madeBy } from './sent-requests.ts'
import { withValues } from './shell.ts'
import { candidatesOf, type Step, withCreators, withoutKey, withoutKeyInBody } from './steps.ts'

/** The most requests that are sent to find the shortest reproduction of one finding. */
const mostRequests = 160

/** Inputs of a replay. */
export interface ReplayOptions {
  readonly client: Client
  readonly prefix: string
  readonly profile: Profile | undefined
}

/** The finding that a replay must show again. */
export interface ReplayedFinding {
  readonly exchange: Exchange
  readonly difference: Pick<Difference, 'attribute'>
  readonly isAboutCredentials: boolean
}

/**
 * Sends parts of a play again, to the target and to a model, and finds the shortest that still shows the deviation: the
 * deciding replies must differ in the same place.
 */
export class Minimizer {
  readonly #options: ReplayOptions
  #count = 0
  #left = 0

  constructor(options: ReplayOptions) {
    this.#options = options
  }

  /** The shortest steps that show a finding; undefined where no replay shows it. */
  async shortest(steps: readonly Step[], finding: ReplayedFinding): Promise<readonly Step[] | undefined> {
    this.#left = mostRequests
    for (const candidate of candidatesOf(steps)) {
      if (candidate.length > this.#left) return undefined
      if (await this.#shows(candidate, finding)) return this.#reduce(candidate, finding)
    }
    return undefined
  }

  /** Leaves out parts, large ones first, as long as the rest shows the finding. */
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

  async #shows(steps: readonly Step[], finding: ReplayedFinding): Promise<boolean> {
    try {
      // What the replies violate is known: they are not checked again.
      return await requestScope.run(
        () => undefined,
        () => this.#replay(steps, finding),
      )
    } catch (error) {
      if (error instanceof TransportError) return finding.exchange.body === undefined
      throw error
    }
  }

  async #replay(steps: readonly Step[], finding: ReplayedFinding): Promise<boolean> {
    const { client, prefix, profile } = this.#options
    const model = new SequenceModel(profile)
    const run = `${prefix}s0r${++this.#count}x`
    const target = new Map([['RUN', run]])
    const modelled = new Map([['RUN', run]])
    for (const step of steps) {
      const [path, body] = [withValues(step.path, target), withValues(step.body ?? '', target)]
      const [modelPath, modelBody] = [withValues(step.path, modelled), withValues(step.body ?? '', modelled)]
      if (path === undefined || body === undefined) return false
      this.#left--
      const exchange = await client.send(step.method, path, {
        credentials: false,
        headers: step.credentials,
        ...(step.body !== undefined && { text: body }),
      })
      if (step.makes !== undefined) setValues(step.makes, madeBy(step.method, exchange.body), target)
      const predicted =
        modelPath === undefined || modelBody === undefined
          ? undefined
          : await model.ask(
              step.method,
              withoutKey(modelPath),
              step.body === undefined ? undefined : bodyOf(modelBody),
            )
      if (predicted !== undefined && step.makes !== undefined)
        setValues(step.makes, madeBy(step.method, predicted.body), modelled)
      if (step !== steps.at(-1)) continue
      return differs(finding, { exchange, values: target }, { body: predicted?.body ?? {}, values: modelled })
    }
    return false
  }
}

function setValues(
  { kind, name }: NonNullable<Step['makes']>,
  made: ReturnType<typeof madeBy>,
  values: Map<string, string>,
): void {
  const key = kind === 'PIPELINE' ? made?.uuid : made?.id
  if (key !== undefined) values.set(name, String(key))
  if (made?.token !== undefined) values.set(`TOKEN_${name}`, made.token)
}

/** A body for the model, which checks no credentials. */
function bodyOf(text: string): unknown {
  try {
    return withoutKeyInBody(JSON.parse(text))
  } catch {
    return text
  }
}

type Values = ReadonlyMap<string, string>

/** Returns whether the reply of the target differs from that of the model where the finding says it does. */
function differs(
  { exchange: original, difference: { attribute }, isAboutCredentials }: ReplayedFinding,
  { exchange, values }: { readonly exchange: Exchange; readonly values: Values },
  model: { readonly body: Readonly<Record<string, unknown>>; readonly values: Values },
): boolean {
  const { body, httpStatus } = exchange
  if (original.body === undefined || body === undefined) return original.body === body
  if (original.httpStatus !== 200) return httpStatus === original.httpStatus
  const [wasError, isError] = [original.error !== undefined, exchange.error !== undefined]
  if (isAboutCredentials) return wasError === isError && original.error?.type === exchange.error?.type
  const isErrorOfModel = model.body.error !== undefined
  if (isError !== isErrorOfModel) return isError === wasError
  const name = attribute?.split('.').at(-1)
  // Records of other clients are in a list of all, and nowhere else.
  const isOfAll = !/[?&]pipeline_uuid=/.test(exchange.path)
  return valuesOf(body, name, values, isOfAll) !== valuesOf(model.body, name, model.values, isOfAll)
}

/** The values of an attribute in a reply, or the names of its records, without what differs by chance. */
function valuesOf(body: unknown, attribute: string | undefined, values: Values, isOfAll: boolean): string {
  const found: string[] = []
  const names = new Map([...values].map(([name, value]) => [value, name]))
  visit(body)
  return JSON.stringify(found.sort())

  function visit(value: unknown): void {
    if (Array.isArray(value)) for (const inner of value) visit(inner)
    if (!isObject(value)) return
    if (isOfAll && isForeign(value)) return
    if (attribute !== undefined && attribute in value) found.push(plain(value[attribute]))
    else if (attribute === undefined) found.push(plain(value.name ?? value.uuid ?? Object.keys(value).sort()))
    else if (['id', 'uuid', 'pipeline_uuid'].some((name) => name in value)) found.push('(absent)')
    for (const inner of Object.values(value)) if (typeof inner === 'object') visit(inner)
  }

  /** A record of another client, in a list of all. */
  function isForeign({ id, uuid, name, pipeline_uuid: home }: Readonly<Record<string, unknown>>): boolean {
    const run = values.get('RUN') ?? ''
    const texts = [uuid, name, home].filter((text) => typeof text === 'string')
    return (
      texts.length > 0 &&
      !texts.some((text) => text.includes(run) || names.has(text)) &&
      !names.has(String(id))
    )
  }

  function plain(value: unknown): string {
    return (
      JSON.stringify(value, (key, inner: unknown) => {
        if (/^(token|message|content)$/.test(key) || /^(token|message|content)$/.test(attribute ?? ''))
          return typeof inner
        if (typeof inner === 'string') return names.get(inner) ?? timestampForm(inner)
        return typeof inner === 'number' ? (names.get(String(inner)) ?? inner) : inner
      }) ?? '(absent)'
    )
  }
}

function timestampForm(text: string): string {
  const [, fraction] = /^\d{4}-\d\d-\d\d[ T]\d\d:\d\d:\d\d(.*)$/.exec(text) ?? []
  return fraction === undefined ? text : `timestamp ${fraction.replaceAll(/\d/g, '0')}`
}
