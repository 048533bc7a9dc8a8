import type { AssumptionRow } from './assumption-row.ts'

/** Assumptions about requests, replies, errors and credentials where the specification is silent. */
export const requestAssumptions = {
  'session-path': {
    section: 'Summary',
    choice: 'POST /api/sessions with email (or username) and password creates a session.',
    why: 'The generic layout gives the path; sign-in needs a name and a password.',
    observed: 'same',
  },
  'session-fields': {
    section: 'Session',
    choice: 'A session carries token, expires and user (id, username, email).',
    why: 'Clients show who is signed in and for how long.',
    observed: 'same, with more about the user',
  },
  'token-decoding': {
    section: 'Authentication',
    choice:
      'A raw token is a JSON Web Token (HS256) with the payload { token, expires }; expires is in seconds.',
    why: 'Clients in the wild decode it that way.',
    observed: 'same',
  },
  bearer: {
    section: 'Authentication',
    choice: 'Authorization: Bearer takes the decoded token, and the raw one too.',
    why: 'The specification shows a long bearer credential without naming the token.',
    observed: 'decoded accepted, raw refused',
  },
  'trigger-credentials': {
    section: 'Authentication',
    choice: 'The trigger needs nothing but the token in its path.',
    why: 'The specification shows it without any other credential.',
    observed: 'same',
  },
  'auth-mode': {
    section: 'Authentication',
    choice:
      'The mock checks no credentials by default: auth is open, key (API key) or login (API key and OAuth token).',
    why: 'A mock that refuses its first request is no help.',
    observed: 'off: checks nothing; on: checks both',
  },
  'api-key-error': {
    section: 'Errors',
    choice: 'A missing or wrong API key is error 401 invalid_api_key, with HTTP 200 as everywhere.',
    why: 'Every response carries HTTP 200.',
    observed: 'same body, but HTTP 401',
  },
  'oauth-error': {
    section: 'Errors',
    choice:
      'No OAuth token: 403 unauthorized_access. An unknown one: 401 invalid_oauth_token. An expired one: 401 expired_oauth_token.',
    why: 'Clients distinguish the three to decide whether to sign in again.',
    observed: 'same codes; HTTP 401 for the last two',
  },
  'token-lifetime': {
    section: 'Limits',
    choice: 'A token lives 30 days.',
    why: 'Long enough that no demo signs out.',
    observed: '30 days',
  },
  'not-found': {
    section: 'Errors',
    choice: 'An unknown record, parent or path is 404 record_not_found, naming it.',
    why: 'It is the only type that the specification names.',
    observed: '404 for records, 500 for pipelines, 400 for blocks',
  },
  'invalid-body': {
    section: 'Errors',
    choice:
      'Malformed JSON, a missing envelope key or required field, a wrong type or a value outside its list is 400 record_invalid, naming the field, and writes nothing.',
    why: 'The client that sends a wrong request must see the mistake.',
    observed: '500 with a traceback, or stored as it is',
  },
  'content-type': {
    section: 'Endpoints',
    choice: 'A body whose Content-Type is not JSON is 400 record_invalid; a missing one means JSON.',
    why: 'According to the specification, all request bodies are JSON.',
    observed: 'not checked',
  },
  'unknown-attributes': {
    section: 'What the service does',
    choice: 'The mock ignores attributes that the policy of an action does not list.',
    why: 'Clients send whole records back.',
    observed: 'ignored for pipelines, 500 for schedules',
  },
  'datetime-input': {
    section: 'Resources and their fields',
    choice: 'A request datetime may have either documented form.',
    why: 'A client that read a record in the long form can send it back.',
    observed: 'same, and others',
  },
  'method-not-allowed': {
    section: 'Errors',
    choice:
      'A known path with another method is 405 method_not_allowed, naming those that work. HEAD is GET without a body.',
    why: 'The same envelope everywhere.',
    observed: 'HTTP 405 without a body',
  },
  'body-limit': {
    section: 'Limits',
    choice: 'A body over 10 MB, and a reply over 16 MB, is 413 payload_too_large.',
    why: 'A server must bound what it reads, and what one request makes it write.',
  },
  'single-metadata': {
    section: 'What the service does',
    choice: 'A single record has no metadata beside it.',
    why: 'Rule 3 adds metadata to lists.',
    observed: 'metadata: null',
  },
  'list-count': {
    section: 'List metadata',
    choice: 'count is the number of matching records, over all pages.',
    why: 'Pagers need it; the specification calls it informational.',
    observed: 'total',
  },
  'default-limit': {
    section: 'Limits',
    choice:
      'Without _limit a list is whole; 0 gives an empty page; a negative or non-numeric one is 400 record_invalid.',
    why: 'The specification states no default.',
    observed: 'no default; negative ones accepted, non-numeric ones 500',
  },
  'list-order': {
    section: 'Limits',
    choice:
      'Pipelines by uuid; schedules, runs, log files and tokens newest first; backfills by creation; blocks by priority.',
    why: 'Paging needs an order; clients take the first run for the newest.',
    observed: 'same',
  },
  'error-extras': {
    section: 'Errors',
    choice: 'An error has code, message and type only.',
    why: 'These are the documented members.',
    observed: 'exception and errors too',
  },
  'tokens-in-open-mode': {
    section: 'Read OAuth tokens',
    choice: 'Without a session, the token list is empty.',
    why: 'The list returns only the tokens of the current user.',
    observed: '500',
  },
  'timestamps-list': {
    section: 'Resources and their fields',
    choice:
      'Backfills have seconds when created, updated or deleted; everything else has microseconds and +00:00.',
    why: 'The section only mentions "most other responses".',
    observed: 'mixed',
  },
  cors: {
    section: 'What the service does',
    choice: 'The mock allows any origin, method and header, cookies included.',
    why: 'A mock runs on another port than the page.',
    observed: 'any origin',
  },
} as const satisfies Record<string, AssumptionRow>
