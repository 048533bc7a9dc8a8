/** What stands in the place of a credential that is not shown. */
export const hidden = '***'

/** The headers that carry a credential, in lower case (the document, "Authentication"). */
export const secretHeaders: ReadonlySet<string> = new Set([
  'x-api-key',
  'oauth-token',
  'authorization',
  'cookie',
])

/** The names under which a path, query or body carries one. */
export const secretNames: ReadonlySet<string> = new Set(['api_key', 'oauth_token', 'token', 'password'])
