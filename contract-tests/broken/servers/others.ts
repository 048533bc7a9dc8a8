import { accepts, ignores, onBody, onRecords, reaches, refuses, sets } from '../changes.ts'
import type { BrokenServer } from '../define-broken.ts'

const long = '2026-01-31 12:00:00.000000+00:00'
const short = '2026-01-31 12:00:00'

/** Servers that are wrong about schedules, runs, logs, tokens and credentials. */
export const others: readonly BrokenServer[] = [
  {
    name: 'tags-and',
    breaks: 'schedule-list/two-tags',
    reply: onBody('listPipelineSchedules', (body, { query }) => ({
      ...body,
      pipeline_schedules: (body.pipeline_schedules as { tags: string[] }[]).filter(({ tags }) =>
        query.getAll('tag[]').every((tag) => tags.includes(tag)),
      ),
    })),
  },
  {
    name: 'tags-ignored',
    breaks: 'schedule-list/one-tag',
    request: ignores('listPipelineSchedules', 'tag[]'),
  },
  {
    name: 'last-tag-only',
    breaks: 'limits/tags-or',
    request: (passing) =>
      reaches('listPipelineSchedules', passing) && passing.query.getAll('tag[]').length > 1
        ? { path: `${passing.path}?tag[]=${passing.query.getAll('tag[]').at(-1)}` }
        : undefined,
  },
  { name: 'tags-null', breaks: 'schedule-fields/tags', reply: sets('listPipelineSchedules', { tags: null }) },
  {
    name: 'shared-token',
    breaks: 'schedule-list/token-unique',
    reply: sets('listPipelineSchedules', { token: 'the-same-for-all' }),
  },
  {
    name: 'everybodys-schedules',
    breaks: 'schedule-list/belongs',
    reply: sets('listPipelineSchedules', { pipeline_uuid: 'another' }),
  },
  {
    name: 'short-schedule-timestamps',
    breaks: 'timestamps/schedules',
    reply: sets('listPipelineSchedules', { created_at: short }),
  },
  {
    name: 'settings-null',
    breaks: 'schedule-fields/settings',
    reply: sets('listPipelineSchedules', { settings: null }),
  },
  { name: 'run-initial', breaks: 'trigger/running', reply: sets('triggerPipeline', { status: 'initial' }) },
  {
    name: 'run-without-event-variables',
    breaks: 'trigger/event-variables',
    reply: sets('triggerPipeline', { event_variables: {} }),
  },
  {
    name: 'run-flattens-variables',
    breaks: 'trigger/nested-variables',
    reply: onRecords('triggerPipeline', (record) => ({
      ...record,
      event_variables: Object.fromEntries(
        Object.entries((record.event_variables ?? {}) as object).map(([key, value]) => [
          key,
          typeof value === 'object' ? String(value) : value,
        ]),
      ),
    })),
  },
  {
    name: 'run-completed-at-once',
    breaks: 'trigger/not-completed',
    reply: sets('triggerPipeline', { completed_at: long }),
  },
  {
    name: 'short-run-timestamps',
    breaks: 'timestamps/runs',
    reply: sets('triggerPipeline', { created_at: short }),
  },
  {
    name: 'run-of-another-schedule',
    breaks: 'trigger/schedule',
    reply: sets('triggerPipeline', { pipeline_schedule_id: 999 }),
  },
  {
    name: 'any-token-triggers',
    breaks: 'trigger/wrong-token',
    reply: accepts('triggerPipeline', { pipeline_run: {} }, ({ path }) => path.includes('/not-')),
  },
  {
    name: 'run-envelope',
    breaks: 'trigger/returns-run',
    reply: onBody('triggerPipeline', (body) => ({ run: body.pipeline_run })),
  },
  { name: 'one-run-for-all', breaks: 'trigger/new-run-each-time', reply: sets('triggerPipeline', { id: 1 }) },
  {
    name: 'logs-metadata',
    breaks: 'logs/metadata',
    reply: onBody('listLogs', (body) => ({ ...body, metadata: { count: 1, next: false } })),
  },
  {
    name: 'logs-flat',
    breaks: 'logs/envelope',
    reply: onBody('listLogs', ({ logs, ...body }) => ({ ...body, log: logs })),
  },
  { name: 'logs-limit-ignored', breaks: 'limits/limit-logs', request: ignores('listLogs', '_limit') },
  { name: 'logs-offset-ignored', breaks: 'limits/offset-logs', request: ignores('listLogs', '_offset') },
  {
    name: 'logs-since-ignored',
    breaks: 'logs/start-timestamp',
    request: ignores('listLogs', 'start_timestamp'),
  },
  {
    name: 'logs-total-text',
    breaks: 'logs-fields/total_block_run_log_count',
    reply: sets('listLogs', { total_block_run_log_count: '2' }),
  },
  {
    name: 'everybodys-tokens',
    breaks: 'tokens/own-only',
    reply: onBody('listOauthAccessTokens', (body) => ({
      ...body,
      oauth_access_tokens: [
        ...(body.oauth_access_tokens as object[]),
        { token: 'x', expires: long, user_id: 999 },
      ],
    })),
  },
  {
    name: 'tokens-of-others',
    breaks: 'tokens/not-others',
    reply: onBody('listOauthAccessTokens', (body) => ({
      ...body,
      oauth_access_tokens: [
        ...(body.oauth_access_tokens as object[]),
        { token: 'other-active-token', expires: '2099-01-31 12:00:00.000000+00:00', user_id: 1 },
      ],
    })),
  },
  {
    name: 'expired-always',
    breaks: 'tokens/active-only',
    reply: onBody('listOauthAccessTokens', (body) => ({
      ...body,
      oauth_access_tokens: [
        ...(body.oauth_access_tokens as object[]),
        { token: 'old', expires: '2001-01-31 12:00:00.000000+00:00', user_id: 1 },
      ],
    })),
  },
  {
    name: 'show-all-only-expired',
    breaks: 'tokens/show-all-keeps-active',
    reply: onBody('listOauthAccessTokens', (body, { query }) => ({
      ...body,
      oauth_access_tokens: query.has('show_all') ? [] : body.oauth_access_tokens,
    })),
  },
  {
    name: 'tokens-limit-ignored',
    breaks: 'limits/limit-tokens',
    request: ignores('listOauthAccessTokens', '_limit'),
  },
  {
    name: 'short-token-timestamps',
    breaks: 'timestamps/tokens',
    reply: sets('listOauthAccessTokens', { expires: '2099-01-31 12:00:00' }),
  },
  {
    name: 'no-token-needed',
    breaks: 'authentication/token-needed',
    reply: accepts(
      'listPipelines',
      { pipelines: [], metadata: { count: 0, next: false } },
      ({ headers }) => ['', null].includes(headers.get('oauth-token')) && !headers.get('cookie'),
    ),
  },
  {
    name: 'any-token-opens',
    breaks: 'authentication/wrong-token',
    reply: accepts('listPipelines', { pipelines: [], metadata: { count: 0, next: false } }, ({ headers }) =>
      String(headers.get('oauth-token')).startsWith('not-'),
    ),
  },
  {
    name: 'no-cookies',
    breaks: 'authentication/raw-token-cookie',
    reply: refuses('listPipelines', ({ headers }) =>
      String(headers.get('cookie')).startsWith('oauth_token='),
    ),
  },
]
