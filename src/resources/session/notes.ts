import type { NotesOf } from '../resource-notes.ts'

/** Descriptions and examples of the attributes and parameters of sessions, for the OpenAPI document. */
export const notes: NotesOf<'sessions'> = {
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
  operations: {
    createSession: 'Create session',
  },
  requests: { createSession: { email: 'mira@example.com', password: 'lantern' } },
  assumptions: {
    createSession: ['session-path', 'session-fields', 'token-decoding', 'token-lifetime'],
  },
}
