/** Location of a credential, or of a world's name, in a request. */
export interface CredentialLocation {
  readonly in: 'header' | 'query' | 'body' | 'cookie'
  /** As the specification spells it. */
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

const apiKeyPlaces = Object.values(apiKeyLocations).map(toPlace)
const tokenPlaces = Object.values(tokenLocations).map(toPlace)
const bearerPlace = toPlace(tokenLocations.bearer)

export interface CredentialSource {
  /** By names in lower case. */
  readonly headers: Readonly<Record<string, string | readonly string[] | undefined>>
  /** Query text, and its parsed form, necessary only for a query that is not empty. */
  readonly search: string
  readonly searchParams: URLSearchParams
  readonly hasBody: boolean
  /** A member of the body; `undefined` where the body has none, or is no JSON object. */
  bodyMember(name: string): unknown
}

/** An OAuth token that a request presents, and where. */
export interface PresentedToken {
  readonly token: string
  readonly location: CredentialLocation
}

/** Reads the API key of a request. Returns other values than texts, too: they are no known key. */
export function readApiKey(source: CredentialSource): unknown {
  for (const place of apiKeyPlaces) {
    const key = readPlace(source, place)
    if (key !== undefined && key !== null) return key
  }
  return undefined
}

export function readToken(source: CredentialSource): PresentedToken | undefined {
  for (const place of tokenPlaces) {
    const token = readPlace(source, place)
    if (typeof token === 'string') return { token, location: place.location }
  }
  return undefined
}

const rawTokenHeaders = tokenPlaces
  .filter(({ location }) => location.form !== 'decoded')
  .map(({ part, key }) => (part === 'cookie' ? 'cookie' : key))

/** Reports whether a request has a header that can hold a raw token. */
export function mayHoldRawToken(headers: CredentialSource['headers']): boolean {
  return rawTokenHeaders.some((name) => headers[name] !== undefined)
}

/** Reads the credential of an `Authorization: Bearer` header. */
export function readBearer(source: CredentialSource): string | undefined {
  return readPlace(source, bearerPlace) as string | undefined
}

/** Splits an API key that names a world too, `key~world`; `world` is `undefined` where it names none. */
export function splitApiKey(key: string): { readonly key: string; readonly world: string | undefined } {
  const mark = key.lastIndexOf('~')
  return mark === -1 ? { key, world: undefined } : { key: key.slice(0, mark), world: key.slice(mark + 1) }
}

interface CredentialPlace {
  readonly location: CredentialLocation
  readonly part: CredentialLocation['in']
  readonly key: string
  /** Prefix of the credential, in lower case. */
  readonly start: string
}

function toPlace(location: CredentialLocation): CredentialPlace {
  const { in: part, name, scheme } = location
  const key = part === 'header' ? name.toLowerCase() : name
  return { location, part, key, start: scheme === undefined ? '' : `${scheme.toLowerCase()} ` }
}

/** Returns the value in a credential location; usually `undefined`. */
function readPlace(source: CredentialSource, { part, key, start }: CredentialPlace): unknown {
  if (part === 'header') {
    const value = source.headers[key]
    return value === undefined || start === '' ? value : withoutScheme(value, start)
  }
  if (part === 'query') return source.search === '' ? undefined : source.searchParams.get(key)
  if (part === 'body') return source.hasBody ? source.bodyMember(key) : undefined
  return source.headers.cookie === undefined ? undefined : readCookie(source.headers.cookie, key)
}

function withoutScheme(value: unknown, start: string): string | undefined {
  if (typeof value !== 'string') return undefined
  return value.slice(0, start.length).toLowerCase() === start ? value.slice(start.length).trim() : undefined
}

function readCookie(cookies: unknown, name: string): string | undefined {
  if (typeof cookies !== 'string') return undefined
  // The first cookie of the name: browsers send the one of the longest path first.
  for (const pair of cookies.split(';')) {
    const text = pair.trimStart()
    if (text.startsWith(`${name}=`)) return text.slice(name.length + 1).trim()
  }
  return undefined
}
