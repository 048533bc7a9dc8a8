import type { Json } from '../../contract-tests/mutants/define-mutant.ts'
import { rules } from '../../contract-tests/rules/index.ts'
import type { OperationId } from '../../contract-tests/rules/operation-id.ts'
import { isObject } from '../../contract-tests/runner/is-object.ts'
import { documentedOperations, onRecords, sentence } from '../mutants/mutant.ts'
import type { Start } from '../mutants/serve-mutant.ts'
import { deep, errorsAs, inSeconds, onBodies, written } from './reply-changes.ts'
import { defineVariants, forEach } from './variant.ts'

const presenter = sentence('What the service does', 'which decides which attributes the response carries')
const inJson = sentence('What the service does', 'JSON HTTP API')
const message = sentence('Errors', 'Human readable message')
const insideBody = sentence('Errors', 'Any error is reported inside the body')

const onErrors = (change: (body: Json) => Json): Start =>
  onBodies((body) => (isObject(body.error) ? change(body) : body))

/** Changes the metadata that count a list. */
const onCounts = (change: (metadata: Json) => Json): Start =>
  onBodies((body) =>
    isObject(body.metadata) && 'count' in body.metadata ? { ...body, metadata: change(body.metadata) } : body,
  )

/** Messages of a failed sign-in. */
const messages = [
  'Email/username and/or password invalid.',
  'The login name or the password is incorrect.',
  'Wrong user name or password',
  'Bad credentials: no such login or password.',
  'Please check your user name and password.',
  'Anmeldename oder Passwort ist ungültig.',
  'Identifiant ou mot de passe invalide.',
]
const signInMessage = (text: string): Start =>
  onBodies((body, { operation }) =>
    operation === 'createSession' && isObject(body.error)
      ? { ...body, error: { ...body.error, message: text } }
      : body,
  )

/** The operations whose timestamps only samples show, as "most other responses" names no operation. */
const withSamples = [
  'listBackfills', 'listPipelineSchedules', 'listOauthAccessTokens', 'triggerPipeline', 'listPipelines', 'readPipeline',
] as const // biome-ignore format: one list
const timestampRules = (operation: OperationId) =>
  rules.filter(
    (rule) => rule.source === 'example' && rule.operation === operation && rule.id.includes('timestamps'),
  )

/** Other envelopes and errors with the same information, or more. */
export const envelopeVariants = defineVariants({
  ...forEach(withSamples, (operation) => [
    `${operation}-in-seconds`,
    ['timestamps-list', inSeconds(operation), ...timestampRules(operation).map(({ id }) => id)],
  ]),
  ...forEach(documentedOperations, (operation) => [
    `${operation}-with-more-attributes`,
    [
      presenter,
      onRecords(operation, (record) => ({ ...record, tenant: null, links: [{ rel: 'self' }] })),
      // "Response: `{ block: { content, name, ... } }`" lists some, and excludes no other.
      ...(operation === 'createBlock' ? (['block-create/eight-fields'] as const) : []),
    ],
  ]),
  'more-beside-the-record': [
    presenter,
    onBodies((body) => ({ ...body, request_id: '5f2c', duration_ms: 12, links: null })),
  ],
  'error-null-beside-the-record': [
    insideBody,
    onBodies((body) => ('error' in body ? body : { ...body, error: null })),
  ],
  'status-beside-the-record': [insideBody, onBodies((body) => ({ ...body, status: 200 }))],
  'other-key-order': [
    inJson,
    onBodies((body) => deep(body, (record) => Object.fromEntries(Object.entries(record).reverse()))),
  ],
  'pretty-printed': [inJson, written((body) => `${JSON.stringify(body, undefined, 2)}\n`)],
  'escaped-unicode': [
    inJson,
    written((body) =>
      JSON.stringify(body).replaceAll(
        /[^ -~]/g,
        (letter) => `\\u${letter.charCodeAt(0).toString(16).padStart(4, '0')}`,
      ),
    ),
  ],
  'charset-in-content-type': [
    'content-type',
    () => async (_, forward) => ({ ...(await forward()), contentType: 'application/json; charset=utf-8' }),
  ],
  ...forEach(['text/plain; charset=utf-8', ''], (contentType) => [
    `content-type-${contentType}`,
    [
      'content-type',
      () => async (_, forward) => ({ ...(await forward()), contentType }),
      'conventions/content-type',
    ],
  ]),
  'single-metadata-empty': [
    'single-metadata',
    onBodies((body) => ('metadata' in body || 'error' in body ? body : { ...body, metadata: {} })),
  ],
  'list-metadata-extras': ['list-count', onCounts((metadata) => ({ ...metadata, results: 3, pages: null }))],
  'count-negative': [
    sentence('List metadata', '`count`'),
    onCounts((metadata) => ({ ...metadata, count: -1 })),
  ],
  'empty-lists-beside-the-error': [
    'error-extras',
    onErrors((body) => ({ ...body, pipelines: [], backfills: [], pipeline_schedules: [], metadata: null })),
  ],
  'no-record-beside-the-error': [
    'error-extras',
    onErrors((body) => ({ ...body, pipeline: null, block: null, backfill: null, pipeline_run: null })),
  ],
  'error-extras': [
    'error-extras',
    errorsAs((error) => ({ ...error, exception: 'Exception', errors: ['Traceback', '  at line 1'] })),
  ],
  'error-with-a-trace-and-time': [
    'error-extras',
    errorsAs((error) => ({ ...error, id: 'a1', timestamp: 1_767_225_600, details: { field: null } })),
  ],
  'error-wording': [message, errorsAs((error) => ({ ...error, message: 'Das geht so nicht.' }))],
  'error-message-empty': [message, errorsAs((error) => ({ ...error, message: '' }))],
  'error-types-of-its-own': [
    sentence('Errors', 'Error type values other than'),
    errorsAs((error) => ({ ...error, type: 'exception' })),
  ],
  'error-codes-500': ['invalid-body', errorsAs((error) => ({ ...error, code: 500 }))],
  'error-codes-422': [
    'invalid-body',
    errorsAs((error) => (error.code === 400 ? { ...error, code: 422 } : error)),
  ],
  'error-codes-negative': [sentence('Errors', '`code`'), errorsAs((error) => ({ ...error, code: -1 }))],
  'not-found-as-400': [
    'not-found',
    errorsAs((error) => (error.code === 404 ? { ...error, code: 400, type: 'invalid' } : error)),
  ],
  'credentials-errors-403': [
    'api-key-error',
    errorsAs((error) => (error.code === 401 ? { ...error, code: 403, type: 'forbidden' } : error)),
  ],
  ...forEach(messages, (text) => [
    `sign-in-message: ${text}`,
    [sentence('Errors', 'A failed session authentication'), signInMessage(text)],
  ]),
})
