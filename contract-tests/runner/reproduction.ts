import { isObject } from './is-object.ts'
import { inOwnNames, renamed } from './own-names.ts'
import { addressOf, namesIn } from './plain-address.ts'
import type { Secrets } from './redact.ts'
import type { SentRequest } from './sent-requests.ts'
import { curlCommand, environmentOf, quote, type Sendable, variable } from './shell.ts'

/** What a reproduction is written from. */
export interface ReproductionSource {
  readonly base: string
  readonly secrets: Secrets
  /** What the names of this run begin with; the script takes others, so that it can be run again. */
  readonly prefix: string
  readonly sent: readonly SentRequest[]
  /** Whether there is a user to sign in as. */
  readonly signsIn: boolean
}

/** What a script says of the deviation it shows. */
export interface ShownDeviation {
  readonly title: string
  readonly expected: string
  readonly received: string
}

/** Reads one value out of a JSON reply with what every shell has. */
const valueFunction = `value() { grep -o "\\"$1\\": *\\(\\"[^\\"]*\\"\\|[^,}]*\\)" | head -n 1 | sed 's/^[^:]*: *//; s/^"//; s/"$//'; }`
const decodeFunction = `decoded() { printf '%s==' "$(cut -d. -f2 | tr '_-' '/+')" | base64 -d 2>/dev/null | value token; }`
/** Writes the last character of a key by its code, as a finding's request did. */
const spelledFunction = `spelled() { printf '%s%%%x' "\${1%?}" "'\${1#"\${1%?}"}"; }`

/**
 * Writes a script that creates what a request needs, sends it, and deletes what it has made. It is pasted into a shell as it
 * is; keys, tokens and passwords come from its environment.
 */
export function writeReproduction(
  played: ReproductionSource,
  request: Sendable,
  shown: ShownDeviation,
  steps: readonly SentRequest[] = stepsBefore(played, request),
): string {
  const { secrets, prefix } = played
  const names = new Map<string, string>()
  const cleaning: string[] = []
  const lines: string[] = []
  const rename = (text: string) => renamed(text, names, prefix)
  const base = variable('BASE')
  const command = (request: Sendable, flags: readonly string[] = []) => {
    const written = { ...request, path: inOwnNames(request.path, names, prefix) }
    const sends = curlCommand(base, written, secrets, { rename, flags })
    for (const [, made] of sends.matchAll(/\$SPELLED_(\w+)/g)) {
      const line = `SPELLED_${made}=$(spelled "$${made}")`
      if (!lines.includes(line)) lines.push(line)
    }
    return sends
  }
  const count: Record<string, number> = {}
  const name = (kind: string) => {
    count[kind] = (count[kind] ?? 0) + 1
    return `${kind}_${count[kind]}`
  }
  for (const step of steps) {
    const sends = command(step)
    const kind = kindOf(step)
    const { id, uuid, token } = step.made ?? {}
    if (
      kind === undefined ||
      (step.method === 'PUT' && !step.path.endsWith('/backfills')) ||
      (id ?? uuid) === undefined
    ) {
      lines.push(`${sends} > /dev/null`)
      continue
    }
    const made = name(kind)
    if (token !== undefined) {
      lines.push(`REPLY_${made}=$(${sends})`)
      names.set(token, `TOKEN_${made}`)
      lines.push(`TOKEN_${made}=$(printf '%s' "$REPLY_${made}" | value token)`)
      lines.push(`${made}=$(printf '%s' "$REPLY_${made}" | value id)`)
    } else lines.push(`${made}=$(${sends} | value ${kind === 'PIPELINE' ? 'uuid' : 'id'})`)
    names.set(kind === 'PIPELINE' ? `${uuid}` : pathOf[kind](id ?? 0), made)
    cleaning.unshift(deletion(kind, made, request, secrets))
  }
  const shows = command(request, ['-w', quote('\\nHTTP %{http_code}\\n')])
  // What the request itself makes goes as well.
  const last = kindOf(request as SentRequest)
  if (last === 'PIPELINE') cleaning.unshift(deletionByName(request, base, secrets, rename))
  if (last === 'BACKFILL') {
    lines.push(`SHOWN=$(${shows})`, `printf '%s\\n' "$SHOWN"`)
    cleaning.unshift(
      `MADE=$(printf '%s' "$SHOWN" | value id)`,
      deletion('BACKFILL', 'MADE', request, secrets),
    )
  } else lines.push(shows)
  const script = [...lines, ...cleaning].join('\n')
  return [
    `# ${oneLine(shown.title)}`,
    `BASE=${quote(played.base)}`,
    'RUN=again$(date +%s)$RANDOM',
    valueFunction,
    ...(script.includes('$(spelled ') ? [spelledFunction] : []),
    ...environment(script, played),
    ...lines,
    `echo ${quote(`expected: ${oneLine(shown.expected)}`)}`,
    `echo ${quote(`received: ${oneLine(shown.received)} (in the run)`)}`,
    ...(cleaning.length > 0 ? ['# clean up', ...cleaning] : []),
    '',
  ].join('\n')
}

/** What a reproduction makes, and deletes at its end. */
type ReproducedKind = 'PIPELINE' | 'BACKFILL' | 'SCHEDULE'

const pathOf: Readonly<Record<ReproducedKind, (id: number) => string>> = {
  PIPELINE: String,
  BACKFILL: (id) => `/backfills/${id}`,
  SCHEDULE: (id) => `/pipeline_schedules/${id}`,
}

/** What a request makes, by its path. */
function kindOf(request: Sendable): ReproducedKind | undefined {
  const { method } = request
  const plain = addressOf(request)
  if (method === 'POST' && plain === '/api/pipelines') return 'PIPELINE'
  if (method !== 'GET' && /^\/api\/pipelines\/[^/]+\/backfills$/.test(plain)) return 'BACKFILL'
  if (method === 'POST' && /^\/api\/pipelines\/[^/]+\/pipeline_schedules$/.test(plain)) return 'SCHEDULE'
  return undefined
}

function deletion(kind: ReproducedKind, made: string, shown: Sendable, secrets: Secrets): string {
  const plural = { PIPELINE: 'pipelines', BACKFILL: 'backfills', SCHEDULE: 'pipeline_schedules' }[kind]
  const request = deletionOf(`/api/${plural}/${variable(made)}`, shown)
  return `${curlCommand(variable('BASE'), request, secrets)} > /dev/null`
}

/** A deletion that is let in as the shown request is, wherever that has its key. */
function deletionOf(path: string, { path: shown, credentials, requestBody }: Sendable): Sendable {
  const inBody = isObject(requestBody) ? requestBody.api_key : undefined
  const inQuery = /[?&](api_key=[^&]*)/.exec(shown)?.[1]
  const key = inQuery ?? (typeof inBody === 'string' ? `api_key=${encodeURIComponent(inBody)}` : undefined)
  return {
    method: 'DELETE',
    path: key === undefined ? path : `${path}?${key}`,
    credentials,
    requestBody: undefined,
  }
}

/** Deletes a pipeline that the shown request may have made, by the uuid that the document derives from its name. */
function deletionByName(
  shown: Sendable,
  base: string,
  secrets: Secrets,
  rename: (text: string) => string,
): string {
  const sent = (shown.requestBody as { readonly pipeline?: { readonly name?: unknown } } | undefined)
    ?.pipeline
  const path = `/api/pipelines/${String(sent?.name ?? '').replaceAll('-', '_')}`
  return `${curlCommand(base, deletionOf(path, shown), secrets, { rename })} > /dev/null`
}

/** The requests that a request rests on: the writes to what it names, in their order. */
function stepsBefore({ sent, prefix }: ReproductionSource, request: Sendable): SentRequest[] {
  const end = sent.findLastIndex(
    (one) => one === request || (one.path === request.path && isSame(one, request)),
  )
  const before = sent.slice(0, end === -1 ? sent.length : end)
  const plain = addressOf(request)
  if (plain === '/api/pipelines' && request.method === 'GET')
    return before.filter((one) => kindOf(one) === 'PIPELINE')
  const homes = new Set(namesIn(request).filter((name) => name.includes(prefix)))
  const block = /\/blocks\/([^/]+)/.exec(plain)?.[1]
  const backfill = /\/backfills\/(\d+)/.exec(plain)?.[1]
  const schedule = /\/pipeline_schedules\/(\d+)/.exec(plain)?.[1]
  const makers = makersOf(before)
  const owner = makers.get(`backfills/${backfill}`) ?? makers.get(`pipeline_schedules/${schedule}`)
  const home = owner && homeOf(owner)
  if (home !== undefined) homes.add(home)
  if (plain === '/api/backfills' && !request.path.includes('pipeline_uuid='))
    for (const home of homesOfBackfills(makers, before)) homes.add(home)
  return before.filter((one) => {
    if (one.method === 'GET') return false
    if (kindOf(one) === 'PIPELINE') return homes.has(one.made?.uuid ?? '')
    const address = addressOf(one)
    if (!homes.has(homeOf(one) ?? ''))
      // Nothing that is about one record rests on what was done to another.
      return (
        isOfHome(makers, address, homes) &&
        (backfill === undefined || address === `/api/backfills/${backfill}`)
      )
    if (one === owner) return true
    // What is created rests on what it names: its pipeline, and the blocks it depends on.
    if (request.method === 'POST' && plain.split('/').length === 5) return isNamedIn(request, one)
    if (block !== undefined) return JSON.stringify(one).replaceAll(' ', '_').includes(block)
    if (backfill !== undefined) return address.includes(`/backfills/${backfill}`)
    if (schedule !== undefined) return false
    return (
      plain.split('/').at(-1) === address.split('/')[4] || plain === '/api/backfills' || isPipeline(plain)
    )
  })
}

/** The pipelines whose backfills the list of all shows: those that were made, and not deleted. */
function homesOfBackfills(
  makers: ReadonlyMap<string, SentRequest>,
  before: readonly SentRequest[],
): string[] {
  const deleted = new Set(before.filter(({ method }) => method === 'DELETE').map(addressOf))
  return [...makers]
    .filter(([key]) => key.startsWith('backfills/') && !deleted.has(`/api/${key}`))
    .flatMap(([, maker]) => homeOf(maker) ?? [])
}

/** The pipeline below which a request goes. */
function homeOf(request: Sendable): string | undefined {
  return /^\/api\/pipelines\/([^/]+)\//.exec(addressOf(request))?.[1]
}

/** An update of a schedule, or the deletion of a backfill, names its pipeline nowhere: it belongs where that was made. */
function isOfHome(
  makers: ReadonlyMap<string, SentRequest>,
  address: string,
  homes: ReadonlySet<string>,
): boolean {
  const made = makers.get(address.replace(/^\/api\//, ''))
  return made !== undefined && homes.has(homeOf(made) ?? '')
}

/** The requests that have made backfills and schedules, by the paths of those. */
function makersOf(sent: readonly SentRequest[]): Map<string, SentRequest> {
  const makers = new Map<string, SentRequest>()
  for (const one of sent) {
    const plural = { BACKFILL: 'backfills', SCHEDULE: 'pipeline_schedules' }[String(kindOf(one))]
    const key = `${plural}/${one.made?.id}`
    if (plural !== undefined && one.made?.id !== undefined && !makers.has(key)) makers.set(key, one)
  }
  return makers
}

/** Tells whether a request names a block that another has made. */
function isNamedIn(request: Sendable, { requestBody }: SentRequest): boolean {
  const made = (requestBody as { readonly block?: { readonly name?: unknown } } | undefined)?.block?.name
  if (typeof made !== 'string') return false
  const { upstream_blocks: needed } =
    (request.requestBody as { readonly block?: { readonly upstream_blocks?: unknown } }).block ?? {}
  return Array.isArray(needed) && needed.includes(made.replaceAll(' ', '_'))
}

function isPipeline(path: string): boolean {
  return /^\/api\/pipelines\/[^/]+$/.test(path)
}

function isSame(one: Sendable, other: Sendable): boolean {
  return one.method === other.method && JSON.stringify(one.requestBody) === JSON.stringify(other.requestBody)
}

function environment(script: string, { signsIn }: ReproductionSource): string[] {
  const variables = environmentOf(script)
  const signed: readonly string[] = variables.filter(
    (name) => name === 'UNDERSTUDY_TOKEN' || name === 'UNDERSTUDY_RAW_TOKEN',
  )
  const needed = [
    ...variables.filter((name) => !signsIn || !signed.includes(name)),
    ...(signsIn && signed.length > 0
      ? ['UNDERSTUDY_EMAIL', 'UNDERSTUDY_PASSWORD', 'UNDERSTUDY_API_KEY']
      : []),
  ]
  const lines = [...new Set(needed)].map((name) => `: "\${${name}:?set it first}"`)
  if (!signsIn || signed.length === 0) return lines
  const body = `'{"session":{"email":"'"$UNDERSTUDY_EMAIL"'","password":"'"$UNDERSTUDY_PASSWORD"'"}}'`
  return [
    ...lines,
    decodeFunction,
    `UNDERSTUDY_RAW_TOKEN=$(curl -s -X POST -H "X-API-KEY: $UNDERSTUDY_API_KEY" -H 'Content-Type: application/json' -d ${body} "$BASE"/api/sessions | value token)`,
    `UNDERSTUDY_TOKEN=$(printf '%s' "$UNDERSTUDY_RAW_TOKEN" | decoded)`,
  ]
}

/** A text on one line, with nothing a terminal would obey. */
function oneLine(text: string): string {
  return text.replaceAll(/[\u0000-\u001f\u007f-\u009f\u2028\u2029]+/g, ' ')
}
