import { accepts, omits, refuses } from '../changes.ts'
import type { BrokenServer, Json } from '../define-mutant.ts'
import { no, yes } from './one-line-servers.ts'

const noPipelines = { pipelines: [], metadata: { count: 0, next: false } }

/** Servers that are wrong about keys, tokens and sessions. */
export const credentials: readonly BrokenServer[] = [
  {
    name: 'no-token-needed',
    breaks: 'authentication/token-needed',
    reply: accepts(
      'listPipelines',
      { pipelines: [], metadata: { count: 0, next: false } },
      ({ headers }) => ['', null].includes(headers.get('oauth-token')) && !headers.get('cookie'),
    ),
  },
  {
    name: 'any-token-opens',
    breaks: 'authentication/wrong-token',
    reply: accepts('listPipelines', { pipelines: [], metadata: { count: 0, next: false } }, ({ headers }) =>
      String(headers.get('oauth-token')).startsWith('not-'),
    ),
  },
  {
    name: 'no-cookies',
    breaks: 'authentication/raw-token-cookie',
    reply: refuses('listPipelines', ({ headers }) =>
      String(headers.get('cookie')).startsWith('oauth_token='),
    ),
  },
  no('no-key-in-query', 'authentication/key-in-query', 'listPipelines', ({ query }) => query.has('api_key')),
  no(
    'no-key-in-body',
    'authentication/key-in-body',
    'createSession',
    ({ body }) => (body as Json | undefined)?.api_key !== undefined,
  ),
  {
    name: 'no-key-in-header',
    breaks: 'authentication/key-in-header',
    reply: (_, { headers, query }) =>
      headers.has('x-api-key') && !query.has('api_key')
        ? { body: { error: { code: 401, message: 'No key.', type: 'invalid_api_key' }, status: 200 } }
        : undefined,
  },
  yes(
    'no-key-needed',
    'authentication/key-needed',
    'listPipelines',
    noPipelines,
    ({ headers, query }) => !headers.has('x-api-key') && !query.has('api_key'),
  ),
  yes('any-key-opens', 'authentication/wrong-key', 'listPipelines', noPipelines, ({ headers }) =>
    String(headers.get('x-api-key')).startsWith('not-'),
  ),
  {
    name: 'session-without-token',
    breaks: 'authentication/session-token',
    auth: 'open',
    reply: omits('createSession', 'token'),
  },
  {
    name: 'no-token-header',
    breaks: 'authentication/decoded-token-header',
    auth: 'open',
    reply: refuses('listPipelines', ({ headers }) => headers.has('oauth-token') && !headers.has('cookie')),
  },
]
