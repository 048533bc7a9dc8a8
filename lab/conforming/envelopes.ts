import type { RuleId } from '../../contract-tests/rules/index.ts'
import type { OperationId } from '../../contract-tests/rules/operation-id.ts'
import { isObject } from '../../contract-tests/runner/is-object.ts'
import { sentence } from '../mutants/mutant.ts'
import { errorsAs, inSeconds, pages, reversed, written } from './reply-changes.ts'
import { deep, type HarmlessVariant, isRecord, onBodies } from './variant.ts'

/** What samples alone say of the form of timestamps: "most other responses" does not say which. */
const formsOf = {
  listBackfills: ['list-backfills/timestamps'],
  listPipelineSchedules: ['timestamps/schedules', 'list-pipeline-schedules/timestamps'],
  listOauthAccessTokens: ['timestamps/tokens', 'list-oauth-access-tokens/timestamps'],
  triggerPipeline: ['timestamps/runs', 'trigger-pipeline/timestamps'],
  listPipelines: ['timestamps/pipelines'],
  readPipeline: ['read-pipeline/timestamps'],
} as const satisfies Partial<Record<OperationId, readonly RuleId[]>>
const typedKeys = <Key extends string>(table: Readonly<Record<Key, unknown>>) => Object.keys(table) as Key[] // They are.

/** Envelopes, errors and lists that are other than ours, and say the same. */
export const harmlessEnvelopes: readonly HarmlessVariant[] = [
  {
    name: 'extra-attributes',
    leaves: sentence('What the service does', 'which decides which attributes the response carries'),
    start: onBodies((body) =>
      deep(body, (record) => (isRecord(record) ? { ...record, undocumented: { by: 'us' } } : record)),
    ),
  },
  {
    name: 'extra-attribute-null',
    leaves: sentence('What the service does', 'which decides which attributes the response carries'),
    start: onBodies((body) =>
      deep(body, (record) => (isRecord(record) ? { ...record, tenant: null } : record)),
    ),
  },
  {
    name: 'other-key-order',
    leaves: sentence('What the service does', 'JSON HTTP API'),
    start: onBodies((body) => deep(body, (record) => Object.fromEntries(Object.entries(record).reverse()))),
  },
  {
    name: 'pretty-printed',
    leaves: sentence('What the service does', 'JSON HTTP API'),
    start: written((body) => `${JSON.stringify(body, undefined, 2)}\n`),
  },
  {
    name: 'escaped-unicode',
    leaves: sentence('What the service does', 'JSON HTTP API'),
    start: written((body) =>
      JSON.stringify(body).replaceAll(
        /[^ -~]/g,
        (letter) => `\\u${letter.charCodeAt(0).toString(16).padStart(4, '0')}`,
      ),
    ),
  },
  {
    name: 'charset-in-content-type',
    leaves: 'content-type',
    start: () => async (_, ask) => ({ ...(await ask()), contentType: 'application/json; charset=utf-8' }),
  },
  {
    name: 'error-extras',
    leaves: 'error-extras',
    start: errorsAs((error) => ({
      ...error,
      exception: 'Exception',
      errors: ['Traceback (most recent call last)', '  at line 1'],
    })),
  },
  {
    name: 'error-wording',
    leaves: sentence('Errors', 'Human readable message'),
    start: errorsAs((error) => ({ ...error, message: 'Das geht so nicht.' })),
  },
  {
    name: 'error-message-empty',
    leaves: sentence('Errors', 'Human readable message'),
    start: errorsAs((error) => ({ ...error, message: '' })),
  },
  {
    name: 'error-types-of-its-own',
    leaves: sentence('Errors', 'Error type values other than'),
    start: errorsAs((error) => ({ ...error, type: 'exception' })),
  },
  { name: 'error-codes-500', leaves: 'invalid-body', start: errorsAs((error) => ({ ...error, code: 500 })) },
  {
    name: 'error-codes-422',
    leaves: 'invalid-body',
    start: errorsAs((error) => (error.code === 400 ? { ...error, code: 422 } : error)),
  },
  {
    name: 'error-codes-negative',
    leaves: sentence('Errors', '`code`'),
    start: errorsAs((error) => ({ ...error, code: -1 })),
  },
  {
    name: 'not-found-as-400',
    leaves: 'not-found',
    start: errorsAs((error) => (error.code === 404 ? { ...error, code: 400, type: 'invalid' } : error)),
  },
  {
    name: 'credentials-errors-403',
    leaves: 'api-key-error',
    start: errorsAs((error) => (error.code === 401 ? { ...error, code: 403, type: 'forbidden' } : error)),
  },
  {
    name: 'sign-in-message',
    leaves: sentence('Errors', 'A failed session authentication'),
    start: onBodies((body, { operation }) =>
      operation === 'createSession' && isObject(body.error)
        ? { ...body, error: { ...body.error, message: 'Email/username and/or password invalid.' } }
        : body,
    ),
  },
  {
    name: 'single-metadata-empty',
    leaves: 'single-metadata',
    start: onBodies((body) => ('metadata' in body || 'error' in body ? body : { ...body, metadata: {} })),
  },
  {
    name: 'list-metadata-extras',
    leaves: 'list-count',
    start: onBodies((body) =>
      isObject(body.metadata) && 'count' in body.metadata
        ? { ...body, metadata: { ...body.metadata, results: 3, pages: null } }
        : body,
    ),
  },
  {
    name: 'count-negative',
    leaves: sentence('List metadata', '`count`'),
    start: onBodies((body) =>
      isObject(body.metadata) && 'count' in body.metadata
        ? { ...body, metadata: { ...body.metadata, count: -1 } }
        : body,
    ),
  },
  ...(['listPipelines', 'listPipelineSchedules', 'listBackfills', 'listOauthAccessTokens'] as const)
    .filter((operation) => operation !== 'listBackfills' && operation !== 'listOauthAccessTokens')
    .map(
      (operation): HarmlessVariant => ({
        name: `${operation}-in-another-order`,
        leaves: 'list-order',
        start: reversed(operation),
      }),
    ),
  ...typedKeys(formsOf).map(
    (operation): HarmlessVariant => ({
      name: `${operation}-in-seconds`,
      leaves: 'timestamps-list',
      start: inSeconds(operation),
      toldBy: formsOf[operation],
    }),
  ),
  { name: 'backfills-five-by-default', leaves: 'default-limit', start: pages('listBackfills', 5, 1_000) },
  { name: 'backfills-twenty-by-default', leaves: 'default-limit', start: pages('listBackfills', 20, 1_000) },
  { name: 'backfills-fifty-at-most', leaves: 'default-limit', start: pages('listBackfills', 50, 50) },
  { name: 'tokens-one-by-default', leaves: 'default-limit', start: pages('listOauthAccessTokens', 1, 1_000) },
]
