import type { NotesOf } from '../resource-notes.ts'

export const notes: NotesOf<'users'> = {
  title: 'Users',
  description: 'Who may sign in.',
  attributes: {
    id: ['Identifies the user.', 1],
    username: ['Name the user may sign in with.', 'mira'],
    email: ['Address the user may sign in with.', 'mira@example.com'],
    password: ['Password for signing in.'],
  },
}
