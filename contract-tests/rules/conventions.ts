import { defineRules } from './define-rules.ts'

const failedSignIn =
  'A failed session authentication returns `error.code` 404 and `error.type` `record_not_found`, with a message saying that the login name or password is invalid.'
const twoPlaces =
  'An API key, `<API_KEY>`, sent as the query parameter `api_key`, or as the body field `api_key`.'
const twoCredentials = 'Most endpoints need two credentials:'
const mustLogIn =
  'Sessions are required only when the project setting `REQUIRE_USER_AUTHENTICATION` is enabled, that is, when users must log in.'

/** Rules about envelopes, statuses, errors and credentials of every reply. */
export const conventionRules = [
  ...defineRules({ section: 'What the service does', prefix: 'conventions', operation: 'listPipelines' }, [
    [
      'list-envelope',
      'A list is under its plural name, beside an object `metadata`.',
      'A response that carries a list nests it under the plural key and adds a `metadata` object.',
      // "The list response shape: not shown" of this list.
      { source: 'inferred' },
    ],
  ]),
  ...defineRules({ section: 'What the service does', prefix: 'conventions', operation: 'readPipeline' }, [
    [
      'content-type',
      'Every reply has a media type of JSON.',
      'The service orchestrates data pipelines through a JSON HTTP API.',
      // The media type of requests is specified, that of replies is not.
      { source: 'inferred' },
    ],
  ]),
  ...defineRules(
    {
      section: 'What the service does',
      prefix: 'conventions',
      operation: 'listBackfills',
      effects: 'writes',
    },
    [
      [
        'nested-list',
        'A list below a pipeline has only records of that pipeline.',
        'When a resource belongs to a parent, create and list are nested:',
        // The layout alone promises no operation.
        { source: 'inferred' },
      ],
    ],
  ),
  ...defineRules({ section: 'List metadata', prefix: 'list-metadata', operation: 'listBackfills' }, [
    ['count', '`count` is an integer.', '`count` | integer |'],
    ['next', '`next` is a boolean.', '`next` | boolean |'],
    [
      'pipelines',
      'Where the list of pipelines carries `next`, it is a boolean.',
      // "The list response shape: not shown" of this list.
      { source: 'inferred', operation: 'listPipelines' },
    ],
  ]),
  ...defineRules({ section: 'Errors', prefix: 'errors', operation: 'readPipeline' }, [
    [
      'body-status',
      'The body of an error has a `status` of 200.',
      'the body also has a `status` key with value 200',
    ],
    ['code', '`code` of an error is an integer.'],
    [
      'code-not-200',
      '`error.code` distinguishes an error from a success.',
      'A client detects an error by reading `error.code` in the body, not the HTTP status.',
    ],
    ['message', '`message` of an error is a string.'],
    ['type', '`type` of an error is a string.'],
  ]),
  ...defineRules({ section: 'Errors', prefix: 'errors', operation: 'createSession', needs: ['sign-in'] }, [
    ['sign-in-code', 'A failed sign-in has the `error.code` 404.', failedSignIn],
    ['sign-in-type', 'A failed sign-in has the `error.type` `record_not_found`.', failedSignIn],
    ['sign-in-message', 'A failed sign-in has a message about an invalid name or password.', failedSignIn],
  ]),
  ...defineRules(
    { section: 'Authentication', prefix: 'authentication', operation: 'listPipelines', needs: ['api-key'] },
    [
      ['key-in-query', 'The target accepts the API key as the query parameter `api_key`.', twoPlaces],
      [
        'key-in-body',
        'The target accepts the API key as the body field `api_key`.',
        twoPlaces,
        { operation: 'createSession' },
      ],
      [
        'key-in-header',
        'The target accepts the API key in the header `X-API-KEY`.',
        'Samples also send it in the header `X-API-KEY`.',
        { source: 'example' },
      ],
      ['key-needed', 'Without an API key the list of pipelines is an error.', twoCredentials],
      ['wrong-key', 'A wrong API key is an error.', twoCredentials],
    ],
  ),
  ...defineRules(
    { section: 'Authentication', prefix: 'authentication', operation: 'listPipelines', needs: ['sign-in'] },
    [
      [
        'raw-token-cookie',
        'The target accepts the raw token in the cookie `oauth_token`.',
        'Raw token | `Cookie` | `oauth_token=<RAW_TOKEN>`',
      ],
      [
        'decoded-token-header',
        'The target accepts the decoded token in the header `OAUTH-TOKEN`.',
        'Decoded token | `OAUTH-TOKEN` | `<DECODED_TOKEN>`',
      ],
      [
        'token-needed',
        'Where users must log in, a request without an OAuth token is an error.',
        mustLogIn,
        { needs: ['sign-in', 'login'] },
      ],
      [
        'wrong-token',
        'Where users must log in, a wrong OAuth token is an error.',
        mustLogIn,
        { needs: ['sign-in', 'login'] },
      ],
    ],
  ),
]
