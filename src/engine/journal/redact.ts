import { hidden, isSecretHeader, isSecretName } from '../../wire/secrets.ts'

const triggerToken = /(\/pipeline_schedules\/[^/?#]*\/pipeline_runs\/)[^/?#"]+/g
const tokenPath = /(\/oauth_access_tokens\/)[^/?#"]+/g
/** `"name": "value"` or `name=value`; bounded, so that no text makes it slow. */
const secretInText = /(["']?)\b([\w-]{1,40})\1(\s{0,9}[:=]\s{0,9})("[^"]*|[^\s&,;}"]+)/g

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
      return isSecretName(decodeName(name)) ? `${name}=${hidden}` : parameter
    })
  return `${path}?${parameters.join('&')}`
}

/** Copies headers without credentials; a header given several times is joined. */
export function redactHeaders(
  headers: Readonly<Record<string, string | readonly string[] | undefined>> = {},
): Record<string, string> {
  const entries = Object.entries(headers).filter(([, value]) => value !== undefined)
  return Object.fromEntries(
    entries.map(([name, value]) => [name, isSecretHeader(name) ? hidden : redactUrl(String(value))]),
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
      isSecretName(name) && inner !== null ? hidden : redactValue(inner),
    ]),
  )
}

/** Takes credentials out of a text that ought to be JSON and is not. */
export function redactText(text: string): string {
  return text.replace(secretInText, (whole, quote: string, name: string, between: string) =>
    isSecretName(name) ? `${quote}${name}${quote}${between}${hidden}` : whole,
  )
}

function decodeName(name: string): string {
  try {
    return decodeURIComponent(name.replaceAll('+', ' '))
  } catch {
    return name
  }
}
