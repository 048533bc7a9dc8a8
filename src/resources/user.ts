import * as z from 'zod'
import { id } from './attributes.ts'
import { defineResource } from './define-resource.ts'

/** Who may sign in. No operation reads users: they come from the fixture, and sessions carry three attributes. */
export const user = defineResource({
  singular: 'user',
  plural: 'users',
  key: 'id',
  attributes: z.object({
    id,
    username: z.string().min(1),
    email: z.string().min(1),
    password: z.string().min(1),
  }),
  presents: ['id', 'username', 'email'],
  secrets: ['password'],
  complete: (record, { id }) => {
    const username = String(record.username ?? String(record.email ?? `user${id}`).split('@')[0])
    return { username, email: `${username}@example.com`, password: 'password', ...record }
  },
  operations: [],
})
