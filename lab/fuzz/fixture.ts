/** The records of the fuzzed server. No text in them resembles a stack trace, so a trace in a reply is a leak. */
export const fixture = {
  users: [{ id: 1, username: 'mira', email: 'mira@example.com', password: 'lantern' }],
  api_keys: ['fuzz-key'],
  oauth_access_tokens: [{ token: 'mira-laptop', expires: '+20d', user_id: 1 }],
  pipelines: [
    {
      name: 'daily sales',
      blocks: [
        { name: 'load', type: 'data_loader' },
        { name: 'sum up', type: 'transformer', upstream_blocks: ['load'] },
      ],
    },
  ],
  pipeline_schedules: [{ pipeline_uuid: 'daily_sales', token: 'let-me-in', tags: ['nightly'] }],
  backfills: [{ pipeline_uuid: 'daily_sales', name: 'january' }],
  logs: [{ pipeline_uuid: 'daily_sales', content: 'all went well' }],
  custom: { statuses: [{ require_user_authentication: false }] },
} as const
