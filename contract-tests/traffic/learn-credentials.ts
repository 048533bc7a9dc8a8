import { findNamedSecrets } from '../../src/shared/find-named-secrets.ts'
import { findAtAnyDepth } from '../../src/shared/hide-in-text.ts'
import { shortestKnown } from '../../src/shared/known-secrets.ts'
import { isSecretHeader, isSecretName } from '../../src/shared/secret-names.ts'
import type { RecordedExchange } from '../../src/traffic/exchange.ts'
import { operationOf } from '../runner/operation-of.ts'
import type { Secrets } from '../runner/redact.ts'

/** Adds the credentials in the request and in the headers of an exchange to the known secrets. */
export function learnCredentials({ request, reply }: RecordedExchange, secrets: Secrets): void {
  const { method, url } = request
  const [address = '', query = ''] = url.split('?')
  const start = address.indexOf('/api/', address.indexOf('://') + 3)
  const reached = start === -1 ? undefined : operationOf(method, address.slice(start))
  const named = [
    ...new URLSearchParams(query),
    ...new URLSearchParams(formOf(request.body)),
    ...Object.entries(reached?.parameters ?? {}),
  ]
  for (const [name, value] of named) if (isSecretName(name)) secrets.add(value)
  const headers = [...Object.entries(request.headers), ...Object.entries(reply?.headers ?? {})]
  for (const [name, value] of headers)
    if (isSecretHeader(name)) for (const part of partsOf(name, value)) secrets.add(part)
  // A value without quotes ends with its parameter.
  const parameters = url.replaceAll('&', '\n')
  for (const text of [parameters, request.body, ...headers.map(([, value]) => value)])
    learnNamed(text, secrets)
}

/** Adds the values of secret names in a text, such as a log or a page. */
export function learnNamed(text: string | undefined, secrets: Secrets): void {
  if (text === undefined) return
  for (const { start, end } of findAtAnyDepth(text, findNamedSecrets)) {
    // A value without quotes reaches to the end of its line. A scheme may precede it.
    const parts = text.slice(start, end).split(/[\s"'`<>&,;()[\]{}\\]+/)
    for (const part of parts.filter((each) => each !== '').slice(0, 2))
      if (part.length >= shortestKnown && !isOrdinary(part)) secrets.add(part)
  }
}

/** Returns whether a text is a word, a number or a date. It would hide parts of other texts. */
function isOrdinary(text: string): boolean {
  return /^(?:[a-z_-]{1,15}|[\dT:.+-]+)$/i.test(text)
}

/** Returns a body that is a form. */
function formOf(body = ''): string {
  return /^[\w.%[\]-]+=/.test(body) ? body : ''
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
