import type { Secrets } from './redact.ts'

/** The parts of a request that are necessary to send it again. */
export interface Sendable {
  readonly method: string
  readonly path: string
  readonly credentials: Readonly<Record<string, string>>
  readonly requestBody: unknown
}

/** Marks a variable of the shell within an unquoted text. No request contains these characters. */
const open = '\u0001'
const close = '\u0002'

/** Marks a variable, for a text that `quote` handles later. */
export function variable(name: string): string {
  return `${open}${name}${close}`
}

/** The names of the variables in a text. */
export function variablesIn(text: string): string[] {
  if (!text.includes(open)) return []
  return [...text.matchAll(new RegExp(`${open}(\\w+)${close}`, 'g'))].map(([, name = '']) => name)
}

/** Returns a text with its variables in the form of the shell. */
export function withNames(text: string): string {
  return text.replaceAll(new RegExp(`${open}(\\w+)${close}`, 'g'), '$$$1')
}

/** Replaces the variables in a text; undefined if one has no value. */
export function withValues(text: string, values: ReadonlyMap<string, string>): string | undefined {
  if (variablesIn(text).some((name) => !values.has(name))) return undefined
  return text.replaceAll(
    new RegExp(`${open}(\\w+)${close}`, 'g'),
    (_, name: string) => values.get(name) ?? '',
  )
}

/** Quotes a text for a shell, which replaces the variables when the command runs. */
export function quote(text: string): string {
  const parts = text.split(new RegExp(`${open}(\\w+)${close}`))
  const quoted = parts.map((part, index) => {
    if (index % 2 === 1) return `"$${part}"`
    return part === '' ? '' : `'${part.replaceAll("'", `'\\''`)}'`
  })
  return quoted.join('') || "''"
}

/** Maximum length of an argument that Linux passes to a command, with a margin. */
const longestArgument = 100_000

/** Writes a request as a curl command. Environment variables replace secrets. */
export function curlCommand(
  base: string,
  request: Sendable,
  secrets: Secrets,
  flags: readonly string[] = [],
): string {
  const { method, path, credentials, requestBody } = request
  // Without -g, curl reads brackets in an address as a range.
  const parts = ['curl', '-s', '-g', ...flags]
  // First replace secrets: quoting would split one that has an apostrophe.
  const safely = (text: string) => quote(secrets.replace(text, variable))
  if (method === 'HEAD') parts.push('--head')
  else if (method !== 'GET') parts.push('-X', method)
  for (const [name, value] of Object.entries(credentials)) {
    // Without a body, curl would announce chunks that never follow.
    if (value === '' || (name === 'Transfer-Encoding' && requestBody === undefined)) continue
    if (name.toLowerCase() === 'authorization' && value.startsWith('Basic '))
      parts.push('-u', quote(variable('UNDERSTUDY_USERINFO')))
    else parts.push('-H', safely(`${name}: ${value}`))
  }
  if (requestBody !== undefined) {
    // Any other body does not change.
    const body = typeof requestBody === 'string' ? requestBody : JSON.stringify(requestBody)
    const data = body.length > longestArgument ? `@<(printf '%s' ${safely(body)})` : safely(body)
    parts.push('-H', quote('Content-Type: application/json'), '-d', data)
  }
  parts.push(safely(`${base}${path}`))
  return parts.join(' ')
}

/** The variables that a script reads from its environment. */
export function environmentOf(script: string): string[] {
  return [...new Set(script.match(/(?<=\$)UNDERSTUDY_\w+/g) ?? [])].sort()
}
