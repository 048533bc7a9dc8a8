import { isObject } from '../../runner/is-object.ts'
import { accepts, omits, refuses } from '../changes.ts'
import { defineMutants } from './define-mutants.ts'

const noPipelines = { pipelines: [], metadata: { count: 0, next: false } }

/** Mutants of keys, tokens and sessions. */
export const credentials = defineMutants({
  'no-token-needed': [
    'authentication/token-needed',
    accepts(
      'listPipelines',
      noPipelines,
      ({ headers }) => ['', null].includes(headers.get('oauth-token')) && !headers.get('cookie'),
    ),
  ],
  'any-token-opens': [
    'authentication/wrong-token',
    accepts('listPipelines', noPipelines, ({ headers }) => headers.has('oauth-token')),
  ],
  'no-cookies': [
    'authentication/raw-token-cookie',
    refuses('listPipelines', ({ headers }) => String(headers.get('cookie')).startsWith('oauth_token=')),
  ],
  'no-key-in-query': [
    'authentication/key-in-query',
    refuses('listPipelines', ({ query }) => query.has('api_key')),
  ],
  'no-key-in-body': [
    'authentication/key-in-body',
    refuses('createSession', ({ body }) => isObject(body) && body.api_key !== undefined),
  ],
  'no-key-in-header': [
    'authentication/key-in-header',
    (_, { headers, query }) =>
      headers.has('x-api-key') && !query.has('api_key')
        ? { body: { error: { code: 401, message: 'No key.', type: 'invalid_api_key' }, status: 200 } }
        : undefined,
  ],
  'no-key-needed': [
    'authentication/key-needed',
    accepts(
      'listPipelines',
      noPipelines,
      ({ headers, query }) => !headers.has('x-api-key') && !query.has('api_key'),
    ),
  ],
  'any-key-opens': [
    'authentication/wrong-key',
    accepts('listPipelines', noPipelines, ({ headers }) => (headers.get('x-api-key') ?? '') !== ''),
  ],
  'session-without-token': [
    'create-session/envelope',
    { auth: 'open', reply: omits('createSession', 'token') },
  ],
  'no-token-header': [
    'authentication/decoded-token-header',
    {
      auth: 'open',
      reply: refuses('listPipelines', ({ headers }) => headers.has('oauth-token') && !headers.has('cookie')),
    },
  ],
})
