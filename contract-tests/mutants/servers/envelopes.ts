import { onBody, onError, reaches, sets } from '../changes.ts'
import type { BrokenServer } from '../define-mutant.ts'

/** Servers that are wrong in the envelope, in metadata, and in how they report errors. */
export const envelopes: readonly BrokenServer[] = [
  {
    name: 'list-without-envelope',
    breaks: 'conventions/list-envelope',
    reply: onBody('listPipelines', (body) => ({ pipelines: body.pipelines })),
  },
  {
    name: 'record-without-envelope',
    breaks: 'conventions/record-envelope',
    reply: onBody('createPipeline', (body) => body.pipeline),
  },
  {
    name: 'flat-request-body',
    breaks: 'conventions/body-envelope',
    reply: sets('createPipeline', { name: 'untitled' }),
  },
  {
    name: 'created-as-text',
    breaks: 'conventions/json',
    reply: (reply, passing) =>
      reaches('createPipeline', passing) && reply.status === 200
        ? { body: 'created', contentType: 'text/plain' }
        : undefined,
  },
  {
    name: 'count-as-text',
    breaks: 'list-metadata/count',
    reply: onBody('listBackfills', (body) => ({ ...body, metadata: { count: '3', next: false } })),
  },
  {
    name: 'next-as-number',
    breaks: 'list-metadata/next',
    reply: onBody('listBackfills', (body) => ({ ...body, metadata: { count: 3, next: 0 } })),
  },
  {
    name: 'always-a-next-page',
    breaks: 'list-metadata/next-false',
    reply: onBody('listBackfills', (body) => ({ ...body, metadata: { count: 3, next: true } })),
  },
  {
    name: 'never-a-next-page',
    breaks: 'list-metadata/next-true',
    reply: onBody('listBackfills', (body) => ({ ...body, metadata: { count: 3, next: false } })),
  },
  {
    name: 'next-on-last-page',
    breaks: 'limits/next-last-page',
    reply: onBody('listBackfills', (body, { query }) => ({
      ...body,
      metadata: { count: 3, next: query.has('_limit') },
    })),
  },
  {
    name: 'schedules-without-count',
    breaks: 'list-metadata/schedules',
    reply: onBody('listPipelineSchedules', (body) => ({ ...body, metadata: { next: false } })),
  },
  {
    name: 'tokens-without-next',
    breaks: 'list-metadata/tokens',
    reply: onBody('listOauthAccessTokens', (body) => ({ ...body, metadata: { count: 1 } })),
  },
  {
    name: 'created-201',
    breaks: 'errors/http-200-success',
    reply: (_, passing) => (reaches('createPipeline', passing) ? { status: 201 } : undefined),
  },
  {
    name: 'http-404-record',
    breaks: 'errors/http-200-unknown-record',
    reply: onError('deleteBackfill', () => ({ status: 404 })),
  },
  {
    name: 'http-404-pipeline',
    breaks: 'errors/http-200-unknown-pipeline',
    reply: onError('readPipeline', () => ({ status: 404 })),
  },
  {
    name: 'http-409-refusal',
    breaks: 'errors/http-200-refusal',
    reply: onError('deleteBlock', () => ({ status: 409 })),
  },
  {
    name: 'http-401-credentials',
    breaks: 'errors/http-200-credentials',
    reply: onError('listPipelines', () => ({ status: 401 })),
  },
  {
    name: 'http-401-sign-in',
    breaks: 'errors/http-200-sign-in',
    reply: onError('createSession', () => ({ status: 401 })),
  },
  {
    name: 'errors-plural',
    breaks: 'errors/under-error',
    reply: onError('readPipeline', ({ error }) => ({ body: { errors: [error], status: 200 } })),
  },
  {
    name: 'body-status-404',
    breaks: 'errors/body-status',
    reply: onError(undefined, (body) => ({ body: { ...body, status: 404 } })),
  },
  {
    name: 'code-as-text',
    breaks: 'errors/code',
    reply: onError('readPipeline', ({ error }) => ({
      body: { error: { ...(error as object), code: '404' }, status: 200 },
    })),
  },
  {
    name: 'error-code-200',
    breaks: 'errors/code-not-200',
    reply: onError('readPipeline', ({ error }) => ({
      body: { error: { ...(error as object), code: 200 }, status: 200 },
    })),
  },
  {
    name: 'message-as-object',
    breaks: 'errors/message',
    reply: onError('readPipeline', ({ error }) => ({
      body: { error: { ...(error as object), message: {} }, status: 200 },
    })),
  },
  {
    name: 'error-without-type',
    breaks: 'errors/type',
    reply: onError('readPipeline', ({ error }) => ({
      body: { error: { ...(error as object), type: undefined }, status: 200 },
    })),
  },
  {
    name: 'sign-in-401',
    breaks: 'errors/sign-in-code',
    reply: onError('createSession', ({ error }) => ({
      body: { error: { ...(error as object), code: 401 }, status: 200 },
    })),
  },
  {
    name: 'sign-in-other-type',
    breaks: 'errors/sign-in-type',
    reply: onError('createSession', ({ error }) => ({
      body: { error: { ...(error as object), type: 'unauthorized' }, status: 200 },
    })),
  },
  {
    name: 'sign-in-silent',
    breaks: 'errors/sign-in-message',
    reply: onError('createSession', ({ error }) => ({
      body: { error: { ...(error as object), message: 'No.' }, status: 200 },
    })),
  },
]
