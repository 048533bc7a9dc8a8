import { defineRules } from './define-rules.ts'

/** What holds for every reply: envelopes, statuses, errors, credentials. */
export const conventionRules = [
  ...defineRules({ section: 'What the service does', prefix: 'conventions', operation: 'listPipelines' }, [
    [
      'list-envelope',
      'A list stands under the plural name with a metadata object beside it.',
      // The shape of this very list is not shown.
      { source: 'inferred' },
    ],
    [
      'record-envelope',
      'A single record stands under the singular name.',
      { operation: 'createPipeline', effects: 'writes' },
    ],
    [
      'body-envelope',
      'A request body nests the record under the singular name, and is understood so.',
      { operation: 'createPipeline', effects: 'writes' },
    ],
    ['json', 'Replies are JSON objects.'],
  ]),
  ...defineRules({ section: 'List metadata', prefix: 'list-metadata', operation: 'listBackfills' }, [
    ['count', 'metadata.count is an integer.'],
    ['next', 'metadata.next is a boolean.'],
    ['next-false', 'metadata.next is false when there is no further page.'],
    ['next-true', 'metadata.next is true when a further page exists.', { effects: 'writes' }],
    [
      'schedules',
      'The schedule list carries count and next.',
      { operation: 'listPipelineSchedules', effects: 'writes' },
    ],
    [
      'tokens',
      'The token list carries count and next.',
      { operation: 'listOauthAccessTokens', needs: ['sign-in'] },
    ],
  ]),
  ...defineRules({ section: 'Errors', prefix: 'errors', operation: 'readPipeline' }, [
    ['http-200-success', 'A successful reply has HTTP status 200.', { operation: 'listPipelines' }],
    [
      'http-200-unknown-record',
      'The reply about an unknown record has HTTP status 200.',
      { operation: 'deleteBackfill', effects: 'deletes' },
    ],
    ['http-200-unknown-pipeline', 'The reply about an unknown pipeline has HTTP status 200.'],
    [
      'http-200-refusal',
      'A refused deletion has HTTP status 200.',
      { operation: 'deleteBlock', effects: 'writes' },
    ],
    [
      'http-200-credentials',
      'A reply about missing credentials has HTTP status 200.',
      { operation: 'listPipelines', needs: ['api-key'] },
    ],
    [
      'http-200-sign-in',
      'A failed sign-in has HTTP status 200.',
      { operation: 'createSession', needs: ['sign-in'] },
    ],
    ['under-error', 'An error is reported in the body under error.'],
    ['body-status', 'The body of an error has a status of 200.'],
    ['code', 'error.code is an integer.'],
    ['code-not-200', 'error.code tells an error from a success.'],
    ['message', 'error.message is a string for people.'],
    ['type', 'error.type is a string.'],
    [
      'sign-in-code',
      'A failed sign-in is error code 404.',
      { operation: 'createSession', needs: ['sign-in'] },
    ],
    [
      'sign-in-type',
      'A failed sign-in is of type record_not_found.',
      { operation: 'createSession', needs: ['sign-in'] },
    ],
    [
      'sign-in-message',
      'A failed sign-in says that the name or the password is invalid.',
      { operation: 'createSession', needs: ['sign-in'] },
    ],
  ]),
  ...defineRules({ section: 'Authentication', prefix: 'authentication', operation: 'listPipelines' }, [
    ['key-in-query', 'The API key is accepted as the query parameter api_key.', { needs: ['api-key'] }],
    [
      'key-in-body',
      'The API key is accepted as the body field api_key.',
      { needs: ['api-key'], operation: 'createSession' },
    ],
    [
      'key-in-header',
      'The API key is accepted in the header X-API-KEY.',
      { needs: ['api-key'], source: 'example' },
    ],
    ['key-needed', 'Without an API key the list of pipelines is an error.', { needs: ['api-key'] }],
    ['wrong-key', 'A wrong API key is an error.', { needs: ['api-key'] }],
    [
      'session-token',
      'Creating a session returns a payload with a token.',
      { needs: ['sign-in'], operation: 'createSession' },
    ],
    ['raw-token-cookie', 'The raw token is accepted in the cookie oauth_token.', { needs: ['sign-in'] }],
    [
      'decoded-token-header',
      'The decoded token is accepted in the header OAUTH-TOKEN.',
      { needs: ['sign-in'] },
    ],
    [
      'token-needed',
      'Where users must log in, a request without an OAuth token is an error.',
      { needs: ['sign-in', 'login'] },
    ],
    [
      'wrong-token',
      'Where users must log in, a made-up OAuth token is an error.',
      { needs: ['sign-in', 'login'] },
    ],
  ]),
]
