import type { Fixture } from '../../src/index.ts'

/** The records that the rules need and the documented API cannot create: schedules with tags, logs, two users, an expired token. */
export const targetFixture: Fixture = {
  users: [
    { id: 1, username: 'judge', email: 'judge@example.com', password: 'gavel-and-robe' },
    { id: 2, username: 'other', email: 'other@example.com', password: 'someone-else' },
  ],
  api_keys: ['contract-key'],
  oauth_access_tokens: [
    { token: 'judge-active-token', expires: '+9d', user_id: 1 },
    { token: 'judge-expired-token', expires: '-9d', user_id: 1 },
    { token: 'other-active-token', expires: '+9d', user_id: 2 },
  ],
  pipelines: [
    { uuid: 'standing', name: 'standing', updated_at: '-1d', blocks: [{ name: 'load' }, { name: 'store' }] },
  ],
  pipeline_schedules: [
    { pipeline_uuid: 'standing', name: 'one', tags: ['red'], created_at: '-3d' },
    { pipeline_uuid: 'standing', name: 'two', tags: ['blue'], created_at: '-2d' },
    { pipeline_uuid: 'standing', name: 'three', tags: ['red', 'green'], created_at: '-1d' },
    { pipeline_uuid: 'standing', name: 'four', created_at: '-1h' },
  ],
  pipeline_runs: [
    {
      pipeline_uuid: 'standing',
      pipeline_schedule_id: 1,
      status: 'completed',
      created_at: '-2h',
      completed_at: '-1h',
    },
    {
      pipeline_uuid: 'standing',
      pipeline_schedule_id: 2,
      status: 'completed',
      created_at: '-50m',
      completed_at: '-40m',
    },
  ],
  logs: [
    {
      pipeline_uuid: 'standing',
      pipeline_run_id: 1,
      block_uuid: 'load',
      created_at: '-1h',
      content: 'loaded',
    },
    {
      pipeline_uuid: 'standing',
      pipeline_run_id: 1,
      block_uuid: 'store',
      created_at: '-1h',
      content: 'stored',
    },
    { pipeline_uuid: 'standing', pipeline_run_id: 1, created_at: '-1h', content: 'completed' },
    { pipeline_uuid: 'standing', pipeline_run_id: 2, created_at: '-40m', content: 'completed again' },
  ],
}
