import * as z from 'zod'
import { id } from '../attributes.ts'

/** Who may sign in. No operation reads users: they come from the fixture, and sessions carry three attributes. */
export const attributes = z.object({
  id,
  username: z.string().min(1),
  email: z.string().min(1),
  password: z.string().min(1),
})
