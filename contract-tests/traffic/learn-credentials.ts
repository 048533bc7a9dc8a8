import { isSecretHeader, isSecretName } from '../../src/shared/secret-names.ts'
import type { RecordedExchange } from '../../src/traffic/exchange.ts'
import { operationOf } from '../runner/operation-of.ts'
import type { Secrets } from '../runner/redact.ts'

/** Adds the credentials in the URL and the headers of an exchange to the known secrets. */
export function learnCredentials({ request, reply }: RecordedExchange, secrets: Secrets): void {
  const { method, url } = request
  const [address = '', query = ''] = url.split('?')
  const start = address.indexOf('/api/', address.indexOf('://') + 3)
  const reached = start === -1 ? undefined : operationOf(method, address.slice(start))
  const named = [...new URLSearchParams(query), ...Object.entries(reached?.parameters ?? {})]
  for (const [name, value] of named) if (isSecretName(name)) secrets.add(value)
  for (const [name, value] of [...Object.entries(request.headers), ...Object.entries(reply?.headers ?? {})])
    if (isSecretHeader(name)) for (const part of partsOf(name, value)) secrets.add(part)
}

/** Returns the parts of a header that are credentials: the values of cookies, and what follows a scheme. */
function partsOf(name: string, value: string): string[] {
  if (name === 'cookie') return value.split(';').flatMap(cookieOf)
  // Commas separate several, and dates contain them, too.
  if (name === 'set-cookie')
    return value.split(/,\s*(?=[^;,=\s]+=)/).flatMap((line) => cookieOf(line.split(';')[0]))
  return [value, /^\w+ +(\S+)$/.exec(value)?.[1] ?? '']
}

/** Returns the value of a cookie. A short word, such as a language, is no credential unless its name is that of one. */
function cookieOf(pair = ''): string[] {
  const [name = '', ...parts] = pair.split('=')
  const value = decode(parts.join('=').trim())
  return isSecretName(name.trim()) || !/^[a-z_-]{1,15}$/i.test(value) ? [value] : []
}

function decode(value: string): string {
  try {
    return decodeURIComponent(value)
  } catch {
    return value
  }
}
