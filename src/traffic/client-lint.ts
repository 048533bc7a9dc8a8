import { apiKeyLocations, tokenLocations } from '../shared/credentials.ts'
import { hidden } from '../shared/hidden.ts'
import { hideNamed } from '../shared/hide-in-text.ts'
import { splitUrl } from '../shared/http.ts'
import { tryParseJson } from '../shared/json.ts'
import { isSecretName } from '../shared/secret-names.ts'
import { isObject } from '../shared/values.ts'
import type { RecordedExchange } from './exchange.ts'

const [keyHeader, tokenHeader] = [apiKeyLocations.header, tokenLocations.header]
const [keyName, tokenName] = [keyHeader.name.toLowerCase(), tokenHeader.name.toLowerCase()]

/** The rules about clients of this API, each with the fix. */
export const clientRules = {
  'error-as-success': 'Check the member `error` of every reply: errors have HTTP status 200, too.',
  'no-new-session': 'Create a session when a reply refuses the token, and send the request again.',
  'endless-polling': 'Stop polling when the record has a final status, and after a maximum time.',
  'first-page-only': 'Read further pages with `_offset` while `metadata.next` is true.',
  'run-on-first-page': 'Read further pages until the list shows the run, or read the run by its id.',
  'sent-twice': 'Disable the control until the reply comes: each request creates a record.',
  'unknown-part': 'Remove the part or correct its name: servers ignore it.',
  'trigger-token': `Send the token of a session in \`${tokenHeader.name}\`; that of a schedule belongs in the path of a trigger.`,
  'credentials-in-url': 'Send credentials in headers: servers and proxies log URLs.',
  'misspelt-header': `Use the header \`${keyHeader.name}\` for the API key and \`${tokenHeader.name}\` for the token.`,
} as const

/** The id of a rule about clients. */
export type ClientRule = keyof typeof clientRules

/** Something that a client does wrong. */
export interface ClientIssue {
  readonly rule: ClientRule
  /** The first request that shows it, without credentials. */
  readonly request: string
  readonly reason: string
  readonly fix: string
  /** The number of requests that show it. */
  readonly count: number
}

/** Maximum number of equal replies up to the end of a recording, and after a final status. */
const [mostPolls, mostFinalPolls] = [20, 5]
/** A reply after a longer pause is no part of a poll. */
const longestPause = 60_000
/** The number of refused requests in a row that shows that the client creates no new session. */
const mostRefused = 3
/** Two equal requests to create something within this time come from one click. */
const doubleClick = 1_000
/** A client that asks for fewer items does not read a list, but its first items. */
const fullPage = 10
/** Maximum number of stored texts and lists of a client. */
const maxStored = 5_000

/** The parts of an exchange that rules use. */
interface Seen {
  readonly exchange: RecordedExchange
  readonly method: string
  readonly path: string
  readonly query: URLSearchParams
  readonly body: Readonly<Record<string, unknown>>
  readonly isError: boolean
}

/** Equal replies to one URL, one after the other. */
interface Poll {
  readonly text: string
  /** The first unnecessary request. */
  excess?: Seen
  count: number
  at: number
}

/** The parts of one client's requests that rules use. */
class ClientHistory {
  previous: Seen | undefined
  lastError: Seen | undefined
  refused = 0
  /** Arrival time of the reply to the first refused request. */
  refusedAt = 0
  /** The refused URLs. */
  readonly refusedUrls = new Set<string>()
  wasAccepted = false
  readonly polls = new Map<string, Poll>()
  readonly scheduleTokens = new Set<string>()
  readonly runs = new Set<string>()
  /** Lists with further pages, by the path and the filters. */
  readonly openLists = new Map<string, { readonly seen: Seen; readonly missesRun: boolean }>()
}

const openListReasons = {
  'run-on-first-page': 'this one does not show the run that the client triggered',
  'first-page-only': 'the client read none of them',
} as const

/** Finds mistakes of clients, in traffic that arrives request by request. */
export class ClientLint {
  readonly #clients = new Map<string, ClientHistory>()
  readonly #issues = new Map<string, ClientIssue>()

  /** @param ignored describes the parts of the request that had no effect. */
  add(exchange: RecordedExchange, ignored: readonly string[] = []): void {
    const seen = toSeen(exchange)
    if (seen === undefined) return
    const name = `${exchange.world ?? ''} ${exchange.client}`
    const client = this.#clients.get(name) ?? new ClientHistory()
    this.#clients.set(name, client)
    this.#checkCredentials(seen, client)
    this.#checkReferences(seen, client)
    this.#checkSession(seen, client)
    this.#checkRepetition(seen, client)
    this.#checkPages(seen, client)
    for (const reason of ignored) this.#report('unknown-part', seen, reason)
    client.previous = seen
    if (seen.isError) client.lastError = seen
  }

  /** Returns the issues; a list whose further pages are not read yet is one, and a poll that has not ended. */
  get issues(): readonly ClientIssue[] {
    const all = new Map(this.#issues)
    for (const { openLists, polls } of this.#clients.values()) {
      for (const { excess: seen } of polls.values())
        if (seen !== undefined)
          addIssue(
            all,
            'endless-polling',
            seen,
            `The client read the same reply more than ${mostPolls} times.`,
          )
      for (const { seen, missesRun } of openLists.values()) {
        const rule = missesRun ? 'run-on-first-page' : 'first-page-only'
        addIssue(all, rule, seen, `The list has further pages, and ${openListReasons[rule]}.`)
      }
    }
    return [...all.values()]
  }

  #report(rule: ClientRule, seen: Seen, reason: string): void {
    addIssue(this.#issues, rule, seen, reason)
  }

  #checkCredentials(seen: Seen, { scheduleTokens }: ClientHistory): void {
    const { headers } = seen.exchange.request
    for (const name of seen.query.keys())
      if (isSecretName(name)) this.#report('credentials-in-url', seen, `The URL contains \`${name}\`.`)
    for (const name of Object.keys(headers)) {
      const plain = name.toLowerCase().replaceAll(/[^a-z]/g, '')
      const isMeant =
        plain === 'xapikey' || plain === 'apikey' || plain === 'oauthtoken' || plain === 'xoauthtoken'
      if (isMeant && name !== keyName && name !== tokenName)
        this.#report('misspelt-header', seen, `No server reads the header \`${name}\`.`)
    }
    for (const record of recordsIn(seen.body))
      if (
        typeof record.schedule_type === 'string' &&
        typeof record.token === 'string' &&
        record.token !== hidden
      )
        store(scheduleTokens, record.token)
    const triggered = /\/pipeline_runs\/([^/]+)$/.exec(seen.path)?.[1]
    if (seen.method === 'POST' && triggered !== undefined && triggered !== hidden)
      store(scheduleTokens, triggered)
    const token = headers[tokenName]
    if (token !== undefined && scheduleTokens.has(token))
      this.#report(
        'trigger-token',
        seen,
        `The header \`${tokenHeader.name}\` contains the token of a schedule.`,
      )
  }

  /** A value that no reply contained: the client read a member that an error does not have. */
  #checkReferences(seen: Seen, { lastError }: ClientHistory): void {
    const invalid = [...seen.path.split('/'), ...seen.query.values()].find((part) =>
      /^(?:undefined|null|NaN|\[object(?: |%20)Object\])$/.test(part),
    )
    if (invalid === undefined) return
    const after = lastError === undefined ? '' : ` An earlier reply, to ${describe(lastError)}, was an error.`
    this.#report('error-as-success', seen, `The URL contains \`${invalid}\`.${after}`)
  }

  #checkSession(seen: Seen, client: ClientHistory): void {
    const { exchange, body, path, isError } = seen
    if (path.endsWith('/api/sessions')) {
      clearRefusals(client)
      return
    }
    const { headers } = exchange.request
    const hasToken =
      headers[tokenName] !== undefined ||
      headers.cookie?.includes(`${tokenLocations.cookie.name}=`) ||
      headers.cookie === hidden
    if (!hasToken) return
    const error = isObject(body.error) ? body.error : {}
    const isRefused =
      isError &&
      (error.code === 401 || error.code === 403 || /oauth|expired|unauthorized/.test(String(error.type)))
    if (isRefused) {
      countRefusal(client, exchange)
    } else {
      clearRefusals(client)
      client.wasAccepted = true
    }
    if (client.wasAccepted && client.refused === mostRefused)
      this.#report(
        'no-new-session',
        seen,
        `The token was refused ${mostRefused} times in a row, and the client used it again.`,
      )
  }

  #checkRepetition(seen: Seen, client: ClientHistory): void {
    const { exchange, method, isError } = seen
    const { request, reply, startedAt } = exchange
    const { previous, polls } = client
    if (method !== 'GET') {
      for (const [url, { excess }] of polls) if (excess === undefined) polls.delete(url)
      const isSame =
        method === 'POST' &&
        previous !== undefined &&
        !previous.isError &&
        !seen.path.endsWith('/api/sessions') &&
        previous.method === method &&
        previous.exchange.request.url === request.url &&
        previous.exchange.request.body === request.body &&
        startedAt - previous.exchange.startedAt <= doubleClick
      if (isSame) this.#report('sent-twice', seen, 'The same request was sent just before, and succeeded.')
      return
    }
    const text = reply?.body ?? ''
    const before = polls.get(request.url)
    const isRepeated = before?.text === text && startedAt - before.at <= longestPause
    const poll: Poll = isRepeated ? before : { text, count: 0, at: startedAt }
    poll.count++
    poll.at = startedAt
    if (poll.count > mostPolls) poll.excess ??= seen
    polls.set(request.url, poll)
    if (polls.size > maxStored) polls.clear()
    if (poll.count === mostFinalPolls + 2 && !isError && isFinal(seen.body))
      this.#report('endless-polling', seen, 'The client reads again and again although the status is final.')
  }

  #checkPages(seen: Seen, { openLists, runs }: ClientHistory): void {
    const { method, path, query, body, isError } = seen
    const run = isObject(body.pipeline_run) ? body.pipeline_run.id : undefined
    if (method === 'POST' && run !== undefined && !isError) store(runs, String(run))
    if (method !== 'GET' || isError) return
    const shown = /\/pipeline_runs\/([^/]+)$/.exec(path)?.[1]
    if (shown !== undefined)
      for (const [name, { missesRun }] of openLists) if (missesRun) openLists.delete(name)
    if (!isObject(body.metadata)) return
    const filters = [...query].filter(
      ([name]) => name !== '_limit' && name !== '_offset' && !isSecretName(name),
    )
    const name = JSON.stringify([path, filters])
    const isFurther = Number(query.get('_offset') ?? 0) > 0
    if (isFurther || body.metadata.next !== true) {
      openLists.delete(name)
      return
    }
    const items = recordsIn(body)
    const isOfRuns = Array.isArray(body.pipeline_runs) && runs.size > 0
    const missesRun = isOfRuns && !items.some(({ id }) => runs.has(String(id)))
    const limit = Number(query.get('_limit') ?? fullPage)
    // A client that asks for a few items may want no more.
    if (!missesRun && (limit < fullPage || isOfRuns)) return
    openLists.set(name, { seen, missesRun })
    const [oldest] = openLists.keys()
    if (openLists.size > maxStored && oldest !== undefined) openLists.delete(oldest)
  }
}

/** Adds an issue, or counts it if a request of the same kind has shown it. */
function addIssue(issues: Map<string, ClientIssue>, rule: ClientRule, seen: Seen, reason: string): void {
  const kind = `${rule} ${seen.method} ${seen.path.replaceAll(/\d+/g, '1')} ${reason}`
  const before = issues.get(kind)
  if (before === undefined)
    issues.set(kind, { rule, request: describe(seen), reason, fix: clientRules[rule], count: 1 })
  else issues.set(kind, { ...before, count: before.count + 1 })
}

/** Describes an issue in three lines: the request, the reason and the fix. */
export function describeIssue({ rule, request, reason, fix, count }: ClientIssue): string {
  const times = count === 1 ? '' : ` (${count} times)`
  return `${rule}: ${request}${times}\n  ${reason}\n  ${fix}`
}

function toSeen(exchange: RecordedExchange): Seen | undefined {
  const { method, url } = exchange.request
  const { path, search } = splitUrl(url)
  if (!path.includes('/api/')) return undefined
  const parsed = tryParseJson(exchange.reply?.body ?? '')
  const body = isObject(parsed) ? parsed : {}
  const isError = isObject(body.error) || (exchange.reply?.status ?? 500) >= 400
  return { exchange, method, path, query: new URLSearchParams(search), body, isError }
}

/** Describes a request without its credentials. */
function describe({ method, path, query }: Seen): string {
  const shown = [...query].map(([name, value]) =>
    isSecretName(name) ? `${name}=${hidden}` : hideNamed(`${name}=${value}`),
  )
  const plain = path.replace(/(\/pipeline_schedules\/[^/]+\/pipeline_runs\/)[^/]+$/, `$1${hidden}`)
  return `${method} ${hideNamed(plain)}${shown.length === 0 ? '' : `?${shown.join('&')}`}`
}

/** The records of a reply, alone or in a list. */
function recordsIn(body: Readonly<Record<string, unknown>>): Readonly<Record<string, unknown>>[] {
  return Object.values(body).flatMap((value) => [value].flat().filter(isObject))
}

/** Returns whether every record with a status has one that does not change by itself. */
function isFinal(body: Readonly<Record<string, unknown>>): boolean {
  const statuses = recordsIn(body).flatMap(({ status }) => (typeof status === 'string' ? [status] : []))
  return statuses.length > 0 && statuses.every((status) => /^(?:completed|failed|cancelled)$/.test(status))
}

/** Counts a refused request, unless the client sent it together with the first one: a page sends several at once. */
function countRefusal(
  client: ClientHistory,
  { request, startedAt, milliseconds, isOrdered }: RecordedExchange,
) {
  const { refused, refusedAt, refusedUrls } = client
  if (refused === 0) client.refusedAt = startedAt + milliseconds
  // The times of a mock may all be the same. There, a repeated request is a later one.
  const isLater = isOrdered ? refusedUrls.has(request.url) : startedAt >= refusedAt
  store(refusedUrls, request.url)
  if (refused === 0 || isLater) client.refused++
}

function clearRefusals(client: ClientHistory): void {
  client.refused = 0
  client.refusedUrls.clear()
}

function store(values: Set<string>, value: string): void {
  if (values.size < maxStored) values.add(value)
}
