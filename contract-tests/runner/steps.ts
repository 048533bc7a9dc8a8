import { isObject } from './is-object.ts'
import { plainPath } from './plain-address.ts'
import { type MadeRecord, RecordVariables, recordWithId } from './record-variables.ts'
import type { SentRequest } from './sent-requests.ts'
import { variable, variablesIn } from './shell.ts'

/** A request with variables for the names, ids and tokens of the run, so that a script can send it again. */
export interface Step {
  readonly method: string
  readonly path: string
  readonly body: string | undefined
  readonly credentials: Readonly<Record<string, string>>
  readonly makes: MadeRecord | undefined
  /** The id or uuid of the record of another client that it reads, for which the path has a variable. */
  readonly existing?: string | undefined
  /** True if the target refused it in a replay: the script shows its reply, too. */
  readonly isRefused?: boolean
}

/** The variable for a record of another client that a script reads. */
export const existing = 'UNDERSTUDY_EXISTING'

/** First of the ids that no record has: the verifier sends them to get an error. */
const firstUnusedId = 100_000_000

/** Length of the shortest uuid that no record has: the verifier sends longer ones to get an error. */
const longestUuid = 1_000

/** Format of steps. */
export interface StepOptions {
  readonly prefix: string
  /** The headers that replace those of every request; undefined to send the headers and the key of each. */
  readonly credentials: Readonly<Record<string, string>> | undefined
  /** True to send the headers that carry no credential, too: no replay shows whether the deviation needs them. */
  readonly hasOwnHeaders?: boolean
}

/**
 * Converts the requests of a run into steps, the last of which shows the deviation. Omits a step that names a record of
 * another client. If the last step names one and does not only read it, there is no result.
 */
export function toSteps(
  history: readonly SentRequest[],
  { prefix, credentials: plain, hasOwnHeaders = false }: StepOptions,
): Step[] | undefined {
  const variables = new RecordVariables(prefix)
  const steps: Step[] = []
  for (const [index, request] of history.entries()) {
    const isLast = index === history.length - 1
    const { method } = request
    const credentials = plain
      ? { ...(hasOwnHeaders && plainHeaders(request.credentials)), ...plain }
      : request.credentials
    const path = variables.replaceIn(plainPath(plain === undefined ? request.path : withoutKey(request.path)))
    const sent = plain === undefined ? request.requestBody : withoutKeyInBody(request.requestBody)
    const body = sent === undefined ? undefined : variables.replaceIn(bodyText(sent))
    // The session was for the credentials; a script has its own.
    if (plain !== undefined && !isLast && path.startsWith('/api/sessions') && request.made !== undefined)
      continue
    const foreign = foreignPart(path)
    if (foreign !== undefined && (!isLast || method !== 'GET')) {
      if (isLast) return undefined
      continue
    }
    const safePath = foreign === undefined ? path : path.replace(foreign, variable(existing))
    const makes = variables.add(request)
    steps.push({ method, path: safePath, body, credentials, makes, existing: foreign })
  }
  return steps
}

/** Yields selections of steps that the last one may depend on, from the fewest to all. Most callers need only the first. */
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

/** Adds the steps that create the records of the chosen ones; undefined variables would make the script fail. */
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

/** The headers of a request that carry no credential. */
export function plainHeaders(headers: Step['credentials']): Step['credentials'] {
  return Object.fromEntries(
    Object.entries(headers).filter(([name]) => !/^(x-api-key|oauth-token|cookie|authorization)$/i.test(name)),
  )
}

/** The last part of a path that names a record: a block by its name, or another by a variable. */
function ownPart(path: string): string | undefined {
  const [plain = ''] = path.split('?')
  const parts = plain.split('/').filter((part) => part !== '')
  return parts.toReversed().find((part) => variablesIn(part).length > 0)
}

function bodyText(body: unknown): string {
  return typeof body === 'string' ? body : JSON.stringify(body)
}

/** A part of a path that names a record which no step creates. */
function foreignPart(path: string): string | undefined {
  const id = recordWithId.exec(path)?.[2]
  if (id !== undefined && Number(id) < firstUnusedId) return id
  const uuid = /(?<=\/pipelines\/)[^/?]+/.exec(path)?.[0]
  return uuid !== undefined && uuid.length < longestUuid && variablesIn(uuid).length === 0 ? uuid : undefined
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
