import { ignores, omits, onBody, onRecords, refuses } from '../changes.ts'
import type { BrokenServer, Json } from '../define-broken.ts'
import { no, says, yes } from './in-one-line.ts'

const noPipelines = { pipelines: [], metadata: { count: 0, next: false } }

const credentials: readonly BrokenServer[] = [
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

const others: readonly BrokenServer[] = [
  {
    name: 'schedules-under-schedules',
    breaks: 'schedule-list/envelope',
    reply: onBody('listPipelineSchedules', ({ pipeline_schedules, ...body }) => ({
      ...body,
      schedules: pipeline_schedules,
    })),
  },
  {
    name: 'unknown-tag-matches-all',
    breaks: 'schedule-list/no-such-tag',
    request: (passing) =>
      String(passing.query.get('tag[]')).includes('no-such-tag') ? { path: passing.path } : undefined,
  },
  {
    name: 'encoded-tags-ignored',
    breaks: 'schedule-list/encoded-tag',
    request: ({ path, search }) => (search.includes('tag%5B%5D') ? { path } : undefined),
  },
  says('run-queued', 'backfill-states/run-running', 'triggerPipeline', { status: 'queued' }),
  {
    name: 'run-hides-event-variables',
    breaks: 'backfill-states/run-variables',
    reply: omits('triggerPipeline', 'event_variables'),
  },
  {
    name: 'empty-body-is-null',
    breaks: 'trigger/empty-body',
    reply: onRecords('triggerPipeline', (record, { body }) =>
      Object.keys(body as object).length > 0 ? record : { ...record, event_variables: null },
    ),
  },
  says('run-of-another-pipeline', 'trigger/pipeline', 'triggerPipeline', { pipeline_uuid: 'another' }),
  says('run-with-variables', 'trigger/variables', 'triggerPipeline', { variables: { partition: 1 } }),
  yes(
    'any-schedule-triggers',
    'trigger/wrong-schedule',
    'triggerPipeline',
    { pipeline_run: {} },
    ({ path }) => path.includes('/999999999/'),
  ),
  {
    name: 'any-start-timestamp-empties',
    breaks: 'logs/start-timestamp-past',
    reply: onRecords('listLogs', (entry, { query }) =>
      query.has('start_timestamp') ? { ...entry, block_run_logs: [], pipeline_run_logs: [] } : entry,
    ),
  },
  says('logs-total-zero', 'logs/totals', 'listLogs', { total_block_run_log_count: 0 }),
  {
    name: 'tokens-under-tokens',
    breaks: 'tokens/envelope',
    reply: onBody('listOauthAccessTokens', ({ oauth_access_tokens, ...body }) => ({
      ...body,
      tokens: oauth_access_tokens,
    })),
  },
  {
    name: 'tokens-offset-ignored',
    breaks: 'limits/offset-tokens',
    request: ignores('listOauthAccessTokens', '_offset'),
  },
  {
    name: 'show-all-ignored',
    breaks: 'tokens/show-all',
    request: ignores('listOauthAccessTokens', 'show_all'),
  },
  {
    name: 'current-token-hidden',
    breaks: 'tokens/current',
    reply: onBody('listOauthAccessTokens', (body, { headers }) => ({
      ...body,
      oauth_access_tokens: (body.oauth_access_tokens as Json[]).filter(
        ({ token }) => token !== headers.get('oauth-token'),
      ),
    })),
  },
]

/** More wrong servers, for the rules about credentials, schedules, runs, logs and tokens. */
export const moreOthers: readonly BrokenServer[] = [...credentials, ...others]
