import * as z from 'zod/mini'
import { id, nonEmptyText } from '../attributes.ts'

/** Who may sign in. No operation reads users: they come from the fixture, and sessions carry three attributes. */
export const attributes = z.object({
  id,
  username: nonEmptyText,
  email: nonEmptyText,
  password: nonEmptyText,
})
