/** Location of a credential, or of a world's name, in a request. */
export interface CredentialLocation {
  readonly in: 'header' | 'query' | 'body' | 'cookie'
  /** The name in the spelling of the specification. */
  readonly name: string
  /** Scheme that precedes the credential in its header. */
  readonly scheme?: 'Bearer'
  /** Form of an OAuth token in this location: decoded as in the records, or raw as in a session. */
  readonly form?: 'decoded' | 'raw' | 'decoded or raw'
}

/** Locations of an API key. The first location that carries one is used (spec, "Authentication"). */
export const apiKeyLocations = {
  header: { in: 'header', name: 'X-API-KEY' },
  query: { in: 'query', name: 'api_key' },
  body: { in: 'body', name: 'api_key' },
} as const satisfies Readonly<Record<string, CredentialLocation>>

/** Locations of an OAuth token, in the same order of precedence. */
export const tokenLocations = {
  header: { in: 'header', name: 'OAUTH-TOKEN', form: 'decoded' },
  bearer: { in: 'header', name: 'Authorization', scheme: 'Bearer', form: 'decoded or raw' },
  cookie: { in: 'cookie', name: 'oauth_token', form: 'raw' },
} as const satisfies Readonly<Record<string, CredentialLocation>>

type Location<Locations> = Locations[keyof Locations]
/** The name of a place in the query. */
export type CredentialParameter = Extract<
  Location<typeof apiKeyLocations> | Location<typeof tokenLocations>,
  { in: 'query' }
>['name']

/** Header with the name of a world. It precedes the end of the API key. */
export const worldHeader = 'x-understudy-world'

const keyLocationsInOrder: readonly CredentialLocation[] = Object.values(apiKeyLocations)
const tokenLocationsInOrder: readonly CredentialLocation[] = Object.values(tokenLocations)

export interface CredentialSource {
  /** Headers by lower-case name. */
  readonly headers: Readonly<Record<string, string | readonly string[] | undefined>>
  /** Query text, and its parsed form, used only if the query is not empty. */
  readonly search: string
  readonly searchParams: URLSearchParams
  readonly hasBody: boolean
  /** Returns a member of the body; `undefined` if the body does not have it, or is no JSON object. */
  bodyMember(name: string): unknown
}

/** An OAuth token of a request, and its location. */
export interface PresentedToken {
  readonly token: string
  readonly location: CredentialLocation
}

/** Reads the API key of a request. It may be another value than a text, which is never a known key. */
export function readApiKey(source: CredentialSource): unknown {
  for (const location of keyLocationsInOrder) {
    const key = readAt(source, location)
    if (key !== undefined && key !== null) return key
  }
  return undefined
}

export function readToken(source: CredentialSource): PresentedToken | undefined {
  for (const location of tokenLocationsInOrder) {
    const token = readAt(source, location)
    if (typeof token === 'string') return { token, location }
  }
  return undefined
}

const rawTokenHeaders = tokenLocationsInOrder
  .filter(({ form }) => form !== 'decoded')
  .map((location) => (location.in === 'cookie' ? 'cookie' : location.name.toLowerCase()))

/** Reports whether a request has a header that can hold a raw token. */
export function mayHoldRawToken(headers: CredentialSource['headers']): boolean {
  return rawTokenHeaders.some((name) => headers[name] !== undefined)
}

/** Reads the credential of an `Authorization: Bearer` header. */
export function readBearer(source: CredentialSource): string | undefined {
  return readAt(source, tokenLocations.bearer) as string | undefined
}

/** Splits an API key that also names a world, `key~world`; `world` is `undefined` if it names none. */
export function splitApiKey(key: string): { readonly key: string; readonly world: string | undefined } {
  const mark = key.lastIndexOf('~')
  return mark === -1 ? { key, world: undefined } : { key: key.slice(0, mark), world: key.slice(mark + 1) }
}

/** Returns the value in a credential location; usually `undefined`. */
function readAt(source: CredentialSource, { in: part, name, scheme }: CredentialLocation): unknown {
  const { headers } = source
  if (part === 'query') return source.search === '' ? undefined : source.searchParams.get(name)
  if (part === 'body') return source.hasBody ? source.bodyMember(name) : undefined
  if (part === 'cookie') return headers.cookie === undefined ? undefined : readCookie(headers.cookie, name)
  const value = headers[name.toLowerCase()]
  return value === undefined || scheme === undefined ? value : withoutScheme(value, `${scheme} `)
}

function withoutScheme(value: unknown, start: string): string | undefined {
  if (typeof value !== 'string' || !value.toLowerCase().startsWith(start.toLowerCase())) return undefined
  return value.slice(start.length).trim()
}

function readCookie(cookies: unknown, name: string): string | undefined {
  if (typeof cookies !== 'string') return undefined
  // The first cookie of the name, because browsers send the one with the longest path first.
  for (const pair of cookies.split(';')) {
    const text = pair.trimStart()
    if (text.startsWith(`${name}=`)) return text.slice(name.length + 1).trim()
  }
  return undefined
}
