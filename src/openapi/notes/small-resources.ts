import * as z from 'zod'
import { log as logResource } from '../../resources/log.ts'
import type { ResourceNotes } from './resource-notes.ts'

const files = z.array(logResource.attributes.pick({ name: true, path: true, content: true }).required())
const path = '/pipelines/daily_sales/.logs/3/20260228T000000'

export const log: ResourceNotes = {
  title: 'Logs',
  description: 'Read the logs of pipelines.',
  attributes: {
    block_run_logs: [
      'Log files of block runs, newest first.',
      [{ name: 'load_orders.log', path: `${path}/load_orders.log`, content: 'loaded\n' }],
    ],
    'block_run_logs[].name': ['Name of the file.'],
    'block_run_logs[].path': ['Where the file is.'],
    'block_run_logs[].content': ['What is in the file; may be long.'],
    pipeline_run_logs: [
      'Log files of pipeline runs, newest first.',
      [{ name: 'pipeline.log', path: `${path}/pipeline.log`, content: 'completed\n' }],
    ],
    'pipeline_run_logs[].name': ['Name of the file.'],
    'pipeline_run_logs[].path': ['Where the file is.'],
    'pipeline_run_logs[].content': ['What is in the file; may be long.'],
    total_block_run_log_count: ['Number of log files of block runs, over all pages.', 1],
    total_pipeline_run_log_count: ['Number of log files of pipeline runs, over all pages.', 1],
  },
  shapes: {
    block_run_logs: files,
    pipeline_run_logs: files,
    total_block_run_log_count: z.int().min(0),
    total_pipeline_run_log_count: z.int().min(0),
  },
}

export const oauthAccessToken: ResourceNotes = {
  title: 'OAuth access tokens',
  description: 'List the OAuth access tokens of the current user.',
  attributes: {
    token: ['The decoded token, as the header `OAUTH-TOKEN` carries it.', 'mira-laptop'],
    expires: ['When the token expires.', '2026-03-21 09:00:00.000000+00:00'],
    user_id: ['Whose token it is.', 1],
  },
}

export const session: ResourceNotes = {
  title: 'Sessions',
  description: 'Create a session to obtain an OAuth token.',
  attributes: {
    token: ['The raw token, as the cookie `oauth_token` carries it.', 'eyJhbGciOiJIUzI1NiJ9.e30.c2lnbmVk'],
    expires: ['When the token expires.', '2026-03-31 09:00:00.000000+00:00'],
    user: ['Who signed in.', { id: 1, username: 'mira', email: 'mira@example.com' }],
    'user.id': ['Identifies the user.'],
    'user.username': ['Name the user may sign in with.'],
    'user.email': ['Address the user may sign in with.'],
    email: ['Who signs in; or give `username`.', 'mira@example.com'],
    username: ['Who signs in; or give `email`.', 'mira'],
    password: ['Password of the user.', 'lantern'],
  },
  requests: { createSession: { email: 'mira@example.com', password: 'lantern' } },
}
