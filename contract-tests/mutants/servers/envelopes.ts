import { onBody, onError, reaches, sets } from '../changes.ts'
import { defineMutants } from './define-mutants.ts'

/** Servers that are wrong in the envelope, in metadata, and in how they report errors. */
export const envelopes = defineMutants({
  'list-without-envelope': [
    'conventions/list-envelope',
    onBody('listPipelines', (body) => ({ pipelines: body.pipelines })),
  ],
  'record-without-envelope': [
    'conventions/record-envelope',
    onBody('createPipeline', (body) => body.pipeline),
  ],
  'flat-request-body': ['conventions/body-envelope', sets('createPipeline', { name: 'untitled' })],
  'created-as-text': [
    'conventions/json',
    (reply, passing) =>
      reaches('createPipeline', passing) && reply.status === 200
        ? { body: 'created', contentType: 'text/plain' }
        : undefined,
  ],
  'count-as-text': [
    'list-metadata/count',
    onBody('listBackfills', (body) => ({ ...body, metadata: { count: '3', next: false } })),
  ],
  'next-as-number': [
    'list-metadata/next',
    onBody('listBackfills', (body) => ({ ...body, metadata: { count: 3, next: 0 } })),
  ],
  'always-a-next-page': [
    'list-metadata/next-false',
    onBody('listBackfills', (body) => ({ ...body, metadata: { count: 3, next: true } })),
  ],
  'never-a-next-page': [
    'list-metadata/next-true',
    onBody('listBackfills', (body) => ({ ...body, metadata: { count: 3, next: false } })),
  ],
  'next-on-last-page': [
    'limits/next-last-page',
    onBody('listBackfills', (body, { query }) => ({
      ...body,
      metadata: { count: 3, next: query.has('_limit') },
    })),
  ],
  'schedules-without-count': [
    'list-metadata/schedules',
    onBody('listPipelineSchedules', (body) => ({ ...body, metadata: { next: false } })),
  ],
  'tokens-without-next': [
    'list-metadata/tokens',
    onBody('listOauthAccessTokens', (body) => ({ ...body, metadata: { count: 1 } })),
  ],
  'created-201': [
    'errors/http-200-success',
    (_, passing) => (reaches('createPipeline', passing) ? { status: 201 } : undefined),
  ],
  'http-404-record': ['errors/http-200-unknown-record', onError('deleteBackfill', () => ({ status: 404 }))],
  'http-404-pipeline': ['errors/http-200-unknown-pipeline', onError('readPipeline', () => ({ status: 404 }))],
  'http-409-refusal': ['errors/http-200-refusal', onError('deleteBlock', () => ({ status: 409 }))],
  'http-401-credentials': ['errors/http-200-credentials', onError('listPipelines', () => ({ status: 401 }))],
  'http-401-sign-in': ['errors/http-200-sign-in', onError('createSession', () => ({ status: 401 }))],
  'errors-plural': [
    'errors/under-error',
    onError('readPipeline', ({ error }) => ({ body: { errors: [error], status: 200 } })),
  ],
  'body-status-404': [
    'errors/body-status',
    onError(undefined, (body) => ({ body: { ...body, status: 404 } })),
  ],
  'code-as-text': [
    'errors/code',
    onError('readPipeline', ({ error }) => ({
      body: { error: { ...(error as object), code: '404' }, status: 200 },
    })),
  ],
  'error-code-200': [
    'errors/code-not-200',
    onError('readPipeline', ({ error }) => ({
      body: { error: { ...(error as object), code: 200 }, status: 200 },
    })),
  ],
  'message-as-object': [
    'errors/message',
    onError('readPipeline', ({ error }) => ({
      body: { error: { ...(error as object), message: {} }, status: 200 },
    })),
  ],
  'error-without-type': [
    'errors/type',
    onError('readPipeline', ({ error }) => ({
      body: { error: { ...(error as object), type: undefined }, status: 200 },
    })),
  ],
  'sign-in-401': [
    'errors/sign-in-code',
    onError('createSession', ({ error }) => ({
      body: { error: { ...(error as object), code: 401 }, status: 200 },
    })),
  ],
  'sign-in-other-type': [
    'errors/sign-in-type',
    onError('createSession', ({ error }) => ({
      body: { error: { ...(error as object), type: 'unauthorized' }, status: 200 },
    })),
  ],
  'sign-in-silent': [
    'errors/sign-in-message',
    onError('createSession', ({ error }) => ({
      body: { error: { ...(error as object), message: 'No.' }, status: 200 },
    })),
  ],
})
