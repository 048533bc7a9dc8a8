import { textOf } from '../../shared/values.ts'
import { defineResource } from '../define-resource.ts'
import { attributes } from './schema.ts'

/** The resource of users: one row of the table. */
export const user = defineResource(
  'users',
  {
    singular: 'user',
    key: 'id',
    attributes,
    presents: ['id', 'username', 'email'],
    secrets: ['password'],
    operations: [],
  },
  {
    complete: (record, { id }) => {
      // Not validated yet: the address may not be a text.
      const username = textOf(record.username ?? textOf(record.email ?? `user${id}`).split('@')[0])
      return { username, email: `${username}@example.com`, password: 'password', ...record }
    },
  },
)
