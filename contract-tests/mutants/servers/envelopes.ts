import type { OperationId } from '../../rules/operation-id.ts'
import { isObject } from '../../runner/is-object.ts'
import { onBody, onError, reaches, sets, setsInBody } from '../changes.ts'
import type { Json } from '../define-mutant.ts'
import { defineMutants } from './define-mutants.ts'

/** Sets members of the errors of an operation. */
const setsInError = (operation: OperationId, members: Json) =>
  onError(operation, ({ error }) => ({
    body: { error: { ...(isObject(error) && error), ...members }, status: 200 },
  }))

/** Mutants of envelopes, of metadata and of errors. */
export const envelopes = defineMutants({
  'list-without-envelope': [
    'conventions/list-envelope',
    onBody('listPipelines', (body) => ({ pipelines: body.pipelines })),
  ],
  'record-without-envelope': ['create-pipeline/envelope', onBody('createPipeline', (body) => body.pipeline)],
  'flat-request-body': ['create-pipeline/values', sets('createPipeline', { name: 'untitled' })],
  'created-as-text': [
    'create-pipeline/envelope',
    (reply, passing) =>
      reaches('createPipeline', passing) && reply.status === 200
        ? { body: 'created', contentType: 'text/plain' }
        : undefined,
  ],
  'json-as-text': ['conventions/content-type', ({ body }) => ({ body, contentType: 'text/plain' })],
  'count-as-text': [
    'list-metadata/count',
    setsInBody('listBackfills', { metadata: { count: '3', next: false } }),
  ],
  'next-as-number': ['list-metadata/next', setsInBody('listBackfills', { metadata: { count: 3, next: 0 } })],
  'pipelines-next-null': [
    'list-metadata/pipelines',
    setsInBody('listPipelines', { metadata: { count: 3, next: null } }),
  ],
  'always-a-next-page': [
    'list-backfills/next',
    setsInBody('listBackfills', { metadata: { count: 3, next: true } }),
  ],
  'never-a-next-page': [
    'list-backfills/next',
    setsInBody('listBackfills', { metadata: { count: 3, next: false } }),
  ],
  'next-on-last-page': [
    'list-backfills/next',
    onBody('listBackfills', (body, { query }) => ({
      ...body,
      metadata: { count: 3, next: query.has('_limit') },
    })),
  ],
  'schedules-without-count': [
    'list-metadata/count',
    setsInBody('listPipelineSchedules', { metadata: { next: false } }),
  ],
  'tokens-without-next': [
    'list-metadata/next',
    setsInBody('listOauthAccessTokens', { metadata: { count: 1 } }),
  ],
  'created-201': [
    'create-pipeline/status-200',
    (_, passing) => (reaches('createPipeline', passing) ? { status: 201 } : undefined),
  ],
  'http-404-record': ['delete-backfill/status-200', onError('deleteBackfill', () => ({ status: 404 }))],
  'http-404-pipeline': ['read-pipeline/status-200', onError('readPipeline', () => ({ status: 404 }))],
  'http-409-refusal': ['delete-block/status-200', onError('deleteBlock', () => ({ status: 409 }))],
  'http-401-credentials': ['list-pipelines/status-200', onError('listPipelines', () => ({ status: 401 }))],
  'http-401-sign-in': ['create-session/status-200', onError('createSession', () => ({ status: 401 }))],
  'errors-plural': [
    'read-pipeline/envelope',
    onError('readPipeline', ({ error }) => ({ body: { errors: [error], status: 200 } })),
  ],
  'body-status-404': [
    'errors/body-status',
    onError(undefined, (body) => ({ body: { ...body, status: 404 } })),
  ],
  'code-as-text': ['errors/code', setsInError('readPipeline', { code: '404' })],
  'error-code-200': ['errors/code-not-200', setsInError('readPipeline', { code: 200 })],
  'message-as-object': ['errors/message', setsInError('readPipeline', { message: {} })],
  'error-without-type': ['errors/type', setsInError('readPipeline', { type: undefined })],
  'sign-in-401': ['errors/sign-in-code', setsInError('createSession', { code: 401 })],
  'sign-in-other-type': ['errors/sign-in-type', setsInError('createSession', { type: 'unauthorized' })],
  'sign-in-silent': ['errors/sign-in-message', setsInError('createSession', { message: 'No.' })],
})
