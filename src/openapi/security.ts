import type { oas31 } from 'openapi3-ts'
import type { Operation } from '../resources/resource.ts'
import { apiKeyLocations, type CredentialLocation, tokenLocations } from '../shared/credentials.ts'
import { required } from '../shared/values.ts'

/** Description of each credential location except bodies, which OpenAPI security schemes cannot express. */
type Schemes<Locations extends Readonly<Record<string, CredentialLocation>>> = {
  readonly [Place in keyof Locations as Locations[Place]['in'] extends 'body' ? never : Place]: readonly [
    name: string,
    says: string,
  ]
}

const keySchemes: Schemes<typeof apiKeyLocations> = {
  query: [
    'apiKeyInQuery',
    `The API key. A request with a body may carry it there instead, as the field \`${apiKeyLocations.body.name}\`.`,
  ],
  header: ['apiKeyInHeader', 'The API key, as samples send it.'],
}
const tokenSchemes: Schemes<typeof tokenLocations> = {
  cookie: ['rawTokenInCookie', 'The raw OAuth token: the `token` of a session.'],
  header: ['decodedTokenInHeader', 'The decoded OAuth token: the `token` entry of the decoded raw token.'],
  bearer: [
    'bearer',
    'A long credential that samples send; here the OAuth token, decoded or raw (assumption `bearer`).',
  ],
}

/** The security schemes: the places of the two credentials (specification, "Authentication"). */
export const securitySchemes: Readonly<Record<string, oas31.SecuritySchemeObject>> = {
  ...toSchemes(keySchemes, apiKeyLocations),
  ...toSchemes(tokenSchemes, tokenLocations),
}

function toSchemes(
  schemes: Readonly<Record<string, readonly [name: string, says: string]>>,
  locations: Readonly<Record<string, CredentialLocation>>,
) {
  return Object.fromEntries(
    Object.entries(schemes).map(([place, [name, description]]) => [
      name,
      toScheme(required(locations[place], `the place of the credential ${place}`), description),
    ]),
  )
}

function toScheme(
  { in: part, name, scheme }: CredentialLocation,
  description: string,
): oas31.SecuritySchemeObject {
  return scheme === undefined
    ? { type: 'apiKey', in: part, name, description }
    : { type: 'http', scheme: scheme.toLowerCase(), description }
}

const apiKeys = Object.values(keySchemes).map(([name]) => name)
const tokens = Object.values(tokenSchemes).map(([name]) => name)
const keyOnly: oas31.SecurityRequirementObject[] = apiKeys.map((key) => ({ [key]: [] }))

/** An API key and an OAuth token; only the key if the server does not require users to sign in. */
export const security: oas31.SecurityRequirementObject[] = [
  ...apiKeys.flatMap((key) => tokens.map((token) => ({ [key]: [], [token]: [] }))),
  ...keyOnly,
]

/** The credentials of an operation that needs fewer than the others. */
export function ownSecurity({ credentials }: Operation): oas31.SecurityRequirementObject[] | undefined {
  if (credentials === undefined) return undefined
  return credentials === 'none' ? [] : keyOnly
}
