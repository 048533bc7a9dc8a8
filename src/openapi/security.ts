import type { oas31 } from 'openapi3-ts'
import type { Operation } from '../resources/resource.ts'

/** The ways to present the two credentials (the document, "Authentication"). */
export const securitySchemes: Readonly<Record<string, oas31.SecuritySchemeObject>> = {
  apiKeyInQuery: {
    type: 'apiKey',
    in: 'query',
    name: 'api_key',
    description: 'The API key. A request with a body may carry it there instead, as the field `api_key`.',
  },
  apiKeyInHeader: {
    type: 'apiKey',
    in: 'header',
    name: 'X-API-KEY',
    description: 'The API key, as samples send it.',
  },
  rawTokenInCookie: {
    type: 'apiKey',
    in: 'cookie',
    name: 'oauth_token',
    description: 'The raw OAuth token: the `token` of a session.',
  },
  decodedTokenInHeader: {
    type: 'apiKey',
    in: 'header',
    name: 'OAUTH-TOKEN',
    description: 'The decoded OAuth token: the `token` entry of the decoded raw token.',
  },
  bearer: {
    type: 'http',
    scheme: 'bearer',
    description:
      'A long credential that samples send; here the OAuth token, decoded or raw (assumption `bearer`).',
  },
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
