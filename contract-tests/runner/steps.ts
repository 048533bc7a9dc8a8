import { isObject } from './is-object.ts'
import { addressOf } from './plain-address.ts'
import { patternOfRun } from './run-id.ts'
import type { SentRequest } from './sent-requests.ts'
import { type Sendable, variable, variablesIn } from './shell.ts'

/** A kind of record that a script creates, and whose id or uuid is a variable. */
export type StepKind = 'PIPELINE' | 'BACKFILL' | 'SCHEDULE' | 'RUN'

/** A request with variables for the names, ids and tokens of the run, so that a script can send it again. */
export interface Step {
  readonly method: string
  readonly path: string
  readonly body: string | undefined
  readonly credentials: Readonly<Record<string, string>>
  /** The variable that holds the id or uuid of the created record. */
  readonly makes: { readonly kind: StepKind; readonly name: string; readonly hasToken: boolean } | undefined
  /** The id or uuid of the record of another client that it reads, for which the path has a variable. */
  readonly existing?: string | undefined
  /** True if the target refused it in a replay: the script shows its reply, too. */
  readonly isRefused?: boolean
}

/** The variable for a record of another client that a script reads. */
export const existing = 'UNDERSTUDY_EXISTING'

/** First of the ids that no record has: the verifier sends them to get an error. */
const firstUnusedId = 100_000_000

/** Format of steps. */
export interface StepOptions {
  readonly prefix: string
  /** The headers that replace those of every request; undefined to send the headers and the key of each. */
  readonly credentials: Readonly<Record<string, string>> | undefined
}

/**
 * Converts the requests of a run into steps, the last of which shows the deviation. Omits a step that names a record of
 * another client. If the last step names one and does not only read it, there is no result.
 */
export function toSteps(
  history: readonly SentRequest[],
  { prefix, credentials: plain }: StepOptions,
): Step[] | undefined {
  const names = new Map<string, string>()
  const counts: Partial<Record<StepKind, number>> = {}
  const steps: Step[] = []
  for (const [index, request] of history.entries()) {
    const isLast = index === history.length - 1
    const rename = (text: string) => renamed(text, names, prefix)
    const { method, made } = request
    const credentials = plain ?? request.credentials
    const path = rename(plainPath(plain === undefined ? request.path : withoutKey(request.path)))
    const sent = plain === undefined ? request.requestBody : withoutKeyInBody(request.requestBody)
    const body = sent === undefined ? undefined : rename(bodyText(sent))
    const foreign = foreignPart(path)
    // A session serves the credentials, which a script has of its own.
    if (plain !== undefined && !isLast && path.startsWith('/api/sessions')) continue
    if (foreign !== undefined && (!isLast || method !== 'GET')) {
      if (isLast) return undefined
      continue
    }
    const kind = made === undefined ? undefined : kindOf(request)
    const key = kind === undefined ? undefined : keyOf(kind, made)
    let makes: Step['makes']
    if (kind !== undefined && key !== undefined) {
      counts[kind] = (counts[kind] ?? 0) + 1
      makes = { kind, name: `${kind}_${counts[kind]}`, hasToken: made?.token !== undefined }
      names.set(key, makes.name)
      if (made?.token !== undefined) names.set(made.token, `TOKEN_${makes.name}`)
    }
    const safePath = foreign === undefined ? path : path.replace(foreign, variable(existing))
    steps.push({ method, path: safePath, body, credentials, makes, existing: foreign })
  }
  return steps
}

/** Chooses steps that the last one may depend on: the fewest first, all of them last. Most callers need the first only. */
export function* candidatesOf(steps: readonly Step[]): Generator<readonly Step[]> {
  const last = steps.at(-1)
  if (last === undefined) return
  const before = steps.slice(0, -1)
  const own = ownPart(last.path)
  const writes = before.filter(({ method }) => method !== 'GET')
  const few = withCreators(
    writes.filter((step) => own !== undefined && (step.path.includes(own) || step.body?.includes(own))),
    last,
    before,
  )
  yield [...few, last]
  // Records in the same pipeline may matter, and so may every change of them.
  const relevant = new Set(variablesOf(last).filter((name) => name !== 'RUN'))
  const related = writes.filter((step) => {
    const isRelated =
      variablesOf(step).some((name) => relevant.has(name)) || relevant.has(step.makes?.name ?? '')
    if (isRelated && step.makes) relevant.add(step.makes.name)
    return isRelated
  })
  const several = withCreators(related, last, before)
  const lengths = new Set([few.length])
  for (const chosen of [several, withCreators(writes, last, before), before]) {
    if (!lengths.has(chosen.length)) yield [...chosen, last]
    lengths.add(chosen.length)
  }
}

/** Adds the steps that create what the chosen ones name; undefined variables would make the script fail. */
export function withCreators(chosen: readonly Step[], last: Step, before: readonly Step[]): Step[] {
  const required = new Set(chosen)
  for (let size = -1; size !== required.size; ) {
    size = required.size
    const needed = new Set([last, ...required].flatMap(variablesOf))
    for (const step of before)
      if (step.makes && (needed.has(step.makes.name) || needed.has(`TOKEN_${step.makes.name}`)))
        required.add(step)
  }
  return before.filter((step) => required.has(step))
}

/** The variables that a step uses. */
export function variablesOf({ path, body = '' }: Step): string[] {
  return variablesIn(`${path} ${body}`)
}

/** The last part of a path that names a record: a block by its name, or another by a variable. */
function ownPart(path: string): string | undefined {
  const [plain = ''] = path.split('?')
  const parts = plain.split('/').filter((part) => part !== '')
  return parts.toReversed().find((part) => variablesIn(part).length > 0)
}

/** Decodes percent codes of plain characters in a path; in a query, only letters, digits and `-._~` are plain. */
function plainPath(path: string): string {
  const [, ...query] = path.split('?')
  const plainQuery = (text: string) =>
    text.replaceAll(/%(?:2[de]|5f|7e|3\d|[46][1-9a-f]|[57][0-9a])/gi, (code) => decodeURIComponent(code))
  return [addressOf({ path }), ...query.map(plainQuery)].join('?')
}

function bodyText(body: unknown): string {
  return typeof body === 'string' ? body : JSON.stringify(body)
}

/** The kind of record that a request creates, by its path. */
function kindOf(request: Sendable): StepKind | undefined {
  const { method } = request
  const plain = addressOf(request)
  if (method === 'POST' && plain === '/api/pipelines') return 'PIPELINE'
  if (method !== 'GET' && /^\/api\/pipelines\/[^/]+\/backfills$/.test(plain)) return 'BACKFILL'
  if (method === 'POST' && /^\/api\/pipelines\/[^/]+\/pipeline_schedules$/.test(plain)) return 'SCHEDULE'
  if (method === 'POST' && /\/pipeline_runs\/[^/]+$/.test(plain)) return 'RUN'
  return undefined
}

function keyOf(kind: StepKind, { id, uuid }: NonNullable<SentRequest['made']> = {}): string | undefined {
  if (kind === 'PIPELINE') return uuid
  const plural = { BACKFILL: 'backfills', SCHEDULE: 'pipeline_schedules', RUN: 'pipeline_runs' }[kind]
  return id === undefined ? undefined : `/${plural}/${id}`
}

/** A part of a path that names a record which no step creates. */
function foreignPart(path: string): string | undefined {
  const id = /(?<=\/(?:backfills|pipeline_schedules|pipeline_runs)\/)\d+(?=[/?]|$)/.exec(path)?.[0]
  if (id !== undefined && Number(id) < firstUnusedId) return id
  const uuid = /(?<=\/pipelines\/)[^/?]+/.exec(path)?.[0]
  return uuid !== undefined && variablesIn(uuid).length === 0 ? uuid : undefined
}

/** Puts variables where a text names what earlier steps created, and where it carries the name of the run. */
function renamed(text: string, names: ReadonlyMap<string, string>, prefix: string): string {
  let result = text
  // A run creates hundreds of records, and a text names few of them.
  const named = [...names].filter(([value]) => text.includes(value))
  const longestFirst = named.sort(([one], [other]) => other.length - one.length)
  for (const [value, name] of longestFirst) {
    const stem = /^(\/\w+\/)\d+$/.exec(value)?.[1]
    result =
      stem === undefined
        ? result.replaceAll(value, variable(name))
        : result.replaceAll(new RegExp(`${value}(?=[/?]|$)`, 'g'), `${stem}${variable(name)}`)
  }
  if (prefix === '' || !result.includes(prefix)) return result
  return result.replaceAll(new RegExp(patternOfRun(prefix), 'g'), variable('RUN'))
}

/** A path without an API key in its query. */
export function withoutKey(path: string): string {
  return path.replace(/([?&])api_key=[^&]*&?/, '$1').replace(/[?&]$/, '')
}

/** A body without an API key. */
export function withoutKeyInBody(body: unknown): unknown {
  if (!isObject(body)) return body
  const { api_key: _, ...rest } = body
  return rest
}
