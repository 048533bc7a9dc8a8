import { collections, type MadeRecord } from './record-variables.ts'
import { type Secrets, wrongCredential } from './redact.ts'
import { curlCommand, environmentOf, quote, type Sendable, variable, withNames } from './shell.ts'
import { existing, plainHeaders, type Step, variablesOf } from './steps.ts'

/** Description of the deviation that a script shows. */
export interface ShownDeviation {
  readonly headline: string
  readonly expected: string
  readonly received: string
}

/** Inputs of a reproduction. */
export interface ReproductionSource {
  readonly base: string
  readonly secrets: Secrets
  /** True if the script signs in as a user. */
  readonly signsIn: boolean
  /** The commands that decode a raw token; undefined for an unknown encoding: the script then sends the raw token. */
  readonly decode: string | undefined
}

/** A script that shows a deviation, and its deciding request alone. */
export interface Reproduction {
  readonly script: string
  readonly curl: string
  /** The requests before the deciding one. */
  readonly steps: readonly string[]
  /** The headers of the deciding request that carry no credential. */
  readonly headers: readonly string[]
}

/** The reproduction of requests that no script can repeat. */
export const noReproduction: Reproduction = { script: '', curl: '', steps: [], headers: [] }

/** Reads one value from a JSON reply with common shell tools. */
const valueFunction = `value() { grep -o "\\"$1\\": *\\(\\"[^\\"]*\\"\\|[^,}]*\\)" | head -n 1 | sed 's/^[^:]*: *//; s/^"//; s/"$//'; }`

/** Writes a text a number of times. */
const repeatFunction = `repeat() { printf -v blanks "%$1s"; printf '%s' "\${blanks// /$2}"; }`

/** Minimum length of a repeated text to shorten. */
const longRun = 100

/** Shortens long repetitions in the quoted texts of a command. */
function withShortRuns(command: string): string {
  return command.replaceAll(/([^'\n]{1,200}?)\1{3}(?:\1)*/g, (run, unit: string) =>
    run.length < longRun ? run : `'"$(repeat ${run.length / unit.length} '${unit}')"'`,
  )
}

/**
 * Writes a script that creates what a request needs, sends it, and deletes what it has created. It names records through
 * variables only. Keys, tokens and passwords come from the environment.
 */
export function writeReproduction(
  source: ReproductionSource,
  steps: readonly Step[],
  shown: ShownDeviation,
): Reproduction {
  const last = steps.at(-1)
  if (last === undefined) return noReproduction
  const { secrets } = source
  const command = (step: Step, ...flags: string[]) =>
    withShortRuns(curlCommand(variable('BASE'), sendable(step), secrets, flags))
  const lines = steps.slice(0, -1).flatMap((step) => stepLines(step, command(step)))
  const deciding = command(last, '-w', quote('\\nHTTP %{http_code}\\n'))
  const deletions = steps.flatMap((step) => deletionOf(step, last, secrets)).toReversed()
  const makes = last.makes
  const waits = needsLogs(steps) ? waitForLogs(last, command(last)) : []
  const show =
    makes === undefined
      ? [deciding]
      : [`SHOWN=$(${deciding})`, `printf '%s\\n' "$SHOWN"`, ...valueLines(makes, 'SHOWN')]
  const body = [...lines, ...waits, ...show]
  const script = [
    `# ${oneLine(shown.headline)}`,
    `BASE=${quote(source.base)}`,
    'RUN=again$(date +%s)$RANDOM',
    valueFunction,
    ...(body.some((line) => line.includes('$(repeat ')) ? [repeatFunction] : []),
    ...environment([...body, ...deletions].join('\n'), source),
    ...body,
    `echo ${quote(`expected: ${oneLine(shown.expected)}`)}`,
    `echo ${quote(`received: ${oneLine(shown.received)} (in the run)`)}`,
    ...(deletions.length > 0 ? ['# clean up', ...deletions] : []),
    '',
  ].join('\n')
  const before = steps
    .slice(0, -1)
    .map(({ method, path, body = '' }) => secrets.redact(withNames(`${method} ${path} ${body}`.trim())))
  const headers = Object.entries(plainHeaders(last.credentials)).map(([name, value]) => `${name}: ${value}`)
  return { script, curl: curlAlone(source, last), steps: before, headers }
}

/** The deciding request as a command; empty if it needs records that the script creates. */
function curlAlone({ base, secrets }: ReproductionSource, step: Step): string {
  if (variablesOf(step).some((name) => name !== 'RUN')) return ''
  return curlCommand(base, sendable(step), secrets).replaceAll('"$RUN"', 'again"$RANDOM"')
}

function sendable({ method, path, body, credentials }: Step): Sendable {
  return { method, path, credentials, requestBody: body }
}

/** The lines of a step before the deciding request: its command, and the variables that it sets. */
function stepLines({ makes, isRefused }: Step, command: string): string[] {
  if (isRefused) return [command, 'echo']
  if (makes === undefined) return [`${command} > /dev/null`]
  return [`REPLY_${makes.name}=$(${command})`, ...valueLines(makes, `REPLY_${makes.name}`)]
}

function valueLines({ kind, name, hasToken }: MadeRecord, reply: string): string[] {
  const read = (to: string, key: string) => `${to}=$(printf '%s' "$${reply}" | value ${key})`
  return [
    read(name, kind === 'PIPELINE' ? 'uuid' : 'id'),
    ...(hasToken ? [read(`TOKEN_${name}`, 'token')] : []),
  ]
}

/** Deletes the record of a step, by the id or uuid of its reply. The name of a pipeline must contain that of the script. */
function deletionOf({ makes }: Step, last: Step, secrets: Secrets): string[] {
  if (makes === undefined || makes.kind === 'RUN') return []
  const path = `/api/${collections[makes.kind]}/${variable(makes.name)}${keyQuery(last)}`
  const request: Sendable = { method: 'DELETE', path, credentials: last.credentials, requestBody: undefined }
  const command = `${curlCommand(variable('BASE'), request, secrets)} > /dev/null`
  const isOwn =
    makes.kind === 'PIPELINE' ? `case "$${makes.name}" in *"$RUN"*) ` : `[ -n "$${makes.name}" ] && `
  return [`${isOwn}${command}${makes.kind === 'PIPELINE' ? ';; esac' : ''}`]
}

/** The API key of a request as a query, if the query or body contains the key. */
function keyQuery({ path, body = '' }: Step): string {
  const inQuery = /[?&](api_key=[^&]*)/.exec(path)?.[1]
  const inBody = /"api_key":"([^"]*)"/.exec(body)?.[1]
  const key = inQuery ?? (inBody === undefined ? undefined : `api_key=${encodeURIComponent(inBody)}`)
  return key === undefined ? '' : `?${key}`
}

/** Returns whether the deciding request reads what a run writes later. */
function needsLogs(steps: readonly Step[]): boolean {
  const isTriggered = steps.some(({ makes }) => makes?.kind === 'RUN')
  return isTriggered && steps.at(-1)?.method === 'GET' && /\/logs(\?|$)/.test(steps.at(-1)?.path ?? '')
}

function waitForLogs({ path }: Step, command: string): string[] {
  const [plain = path] = path.split('?')
  const whole = command.replace(path.slice(plain.length), '')
  return [
    '# wait for the run',
    `for _ in $(seq 60); do ${whole} | grep -q '"content"' && break; sleep 1; done`,
  ]
}

function environment(script: string, { signsIn, decode }: ReproductionSource): string[] {
  const variables = environmentOf(script)
  const signed: readonly string[] = variables.filter(
    (name) => name === 'UNDERSTUDY_TOKEN' || name === 'UNDERSTUDY_RAW_TOKEN',
  )
  const isSigningIn = signsIn && signed.length > 0
  const needed = isSigningIn
    ? [
        ...variables.filter((name) => !signed.includes(name)),
        'UNDERSTUDY_EMAIL',
        'UNDERSTUDY_PASSWORD',
        'UNDERSTUDY_API_KEY',
      ]
    : variables
  const lines = [...new Set(needed)].map((name) =>
    name === wrongCredential
      ? `: "\${${name}:=not-a-credential}"`
      : `: "\${${name}:?${help[name] ?? 'set it first'}}"`,
  )
  if (!isSigningIn) return lines
  const body = `'{"session":{"email":"'"$UNDERSTUDY_EMAIL"'","password":"'"$UNDERSTUDY_PASSWORD"'"}}'`
  return [
    ...lines,
    `UNDERSTUDY_RAW_TOKEN=$(curl -s -g -X POST -H "X-API-KEY: $UNDERSTUDY_API_KEY" -H 'Content-Type: application/json' -d ${body} "$BASE"/api/sessions | value token)`,
    ...(decode === undefined
      ? []
      : [`UNDERSTUDY_TOKEN=$(printf '%s' "$UNDERSTUDY_RAW_TOKEN" | { ${decode}; })`]),
  ]
}

const help: Readonly<Record<string, string>> = {
  [existing]: 'set it to the id or uuid of a record that the request reads',
}

/** Maximum number of characters of a value in a script: it shows the difference, and the report has all of the value. */
const longestValue = 400

/** Returns a text on one line, without control characters, and cuts a long one. */
function oneLine(text: string): string {
  const line = text.replaceAll(/[\u0000-\u001f\u007f-\u009f\u2028\u2029]+/g, ' ')
  return line.length > longestValue ? `${line.slice(0, longestValue - 1)}…` : line
}
