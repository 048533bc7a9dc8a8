import type { oas31 } from 'openapi3-ts'
import type { Operation } from '../resources/resource.ts'
import { apiKeyLocations, type CredentialLocation, tokenLocations } from '../wire/credentials.ts'

/** The ways to present the two credentials (the document, "Authentication"). */
export const securitySchemes: Readonly<Record<string, oas31.SecuritySchemeObject>> = {
  apiKeyInQuery: toScheme(
    apiKeyLocations.query,
    `The API key. A request with a body may carry it there instead, as the field \`${apiKeyLocations.body.name}\`.`,
  ),
  apiKeyInHeader: toScheme(apiKeyLocations.header, 'The API key, as samples send it.'),
  rawTokenInCookie: toScheme(tokenLocations.cookie, 'The raw OAuth token: the `token` of a session.'),
  decodedTokenInHeader: toScheme(
    tokenLocations.header,
    'The decoded OAuth token: the `token` entry of the decoded raw token.',
  ),
  bearer: toScheme(
    tokenLocations.bearer,
    'A long credential that samples send; here the OAuth token, decoded or raw (assumption `bearer`).',
  ),
}

function toScheme({ in: part, name, scheme }: CredentialLocation, description: string) {
  return (
    scheme === undefined
      ? { type: 'apiKey', in: part, name, description }
      : { type: 'http', scheme: scheme.toLowerCase(), description }
  ) as oas31.SecuritySchemeObject
}

const apiKeys = ['apiKeyInQuery', 'apiKeyInHeader']
const tokens = ['rawTokenInCookie', 'decodedTokenInHeader', 'bearer']
const keyOnly: oas31.SecurityRequirementObject[] = apiKeys.map((key) => ({ [key]: [] }))

/** An API key and an OAuth token; the key alone where the server does not require users to sign in. */
export const security: oas31.SecurityRequirementObject[] = [
  ...apiKeys.flatMap((key) => tokens.map((token) => ({ [key]: [], [token]: [] }))),
  ...keyOnly,
]

/** The credentials of an operation that needs fewer than the others. */
export function ownSecurity({ credentials }: Operation): oas31.SecurityRequirementObject[] | undefined {
  if (credentials === undefined) return undefined
  return credentials === 'none' ? [] : keyOnly
}
