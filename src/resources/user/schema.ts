import * as z from 'zod/mini'
import { id, nonEmptyText } from '../attributes.ts'

/**
 * Attributes of a user who can sign in. No operation reads users; they come from the fixture, and sessions
 * show three of these attributes.
 */
export const attributes = z.object({
  id,
  username: nonEmptyText,
  email: nonEmptyText,
  password: nonEmptyText,
})
