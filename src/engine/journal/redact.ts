import { hidden, secretHeaders, secretNames } from '../../wire/secrets.ts'

const triggerToken = /(\/pipeline_schedules\/[^/?#]*\/pipeline_runs\/)[^/?#"]+/g
const tokenPath = /(\/oauth_access_tokens\/)[^/?#"]+/g

const secretInText = new RegExp(`("(?:${[...secretNames].join('|')})"\\s*:\\s*")[^"]*`, 'gi')

/** Takes credentials out of a path: the token of a trigger, and the key of a token. */
export function redactPath(path: string): string {
  return path.replace(triggerToken, `$1${hidden}`).replace(tokenPath, `$1${hidden}`)
}

/** Takes credentials out of a URL: those of its path, and keys in the query, however they are spelled. */
export function redactUrl(url: string): string {
  const [path = '', ...rest] = redactPath(url).split('?')
  if (rest.length === 0) return path
  const parameters = rest
    .join('?')
    .split('&')
    .map((parameter) => {
      const [name = ''] = parameter.split('=', 1)
      return isSecret(decodeName(name)) ? `${name}=${hidden}` : parameter
    })
  return `${path}?${parameters.join('&')}`
}

/** Tells whether what stands under a name is a credential. */
export function isSecret(name: string): boolean {
  return secretNames.has(name.toLowerCase())
}

/** Copies headers without credentials; a header given several times is joined. */
export function redactHeaders(
  headers: Readonly<Record<string, string | readonly string[] | undefined>> = {},
): Record<string, string> {
  const entries = Object.entries(headers).filter(([, value]) => value !== undefined)
  return Object.fromEntries(
    entries.map(([name, value]) => [name, secretHeaders.has(name) ? hidden : String(value)]),
  )
}

/** Copies a JSON value without credentials, at any depth. */
export function redactValue(value: unknown): unknown {
  if (typeof value === 'string') return redactPath(value)
  if (Array.isArray(value)) return value.map(redactValue)
  if (typeof value !== 'object' || value === null) return value
  return Object.fromEntries(
    Object.entries(value).map(([name, inner]) => [
      name,
      isSecret(name) && inner !== null ? hidden : redactValue(inner),
    ]),
  )
}

/** Takes credentials out of a text that ought to be JSON and is not. */
export function redactText(text: string): string {
  return text.replace(secretInText, `$1${hidden}`)
}

function decodeName(name: string): string {
  try {
    return decodeURIComponent(name.replaceAll('+', ' '))
  } catch {
    return name
  }
}
