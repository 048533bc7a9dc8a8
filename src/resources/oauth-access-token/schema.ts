import * as z from 'zod'
import { timestamp } from '../attributes.ts'

/** A stored token (the document, "OAuth access token"). */
export const attributes = z.object({
  /** The decoded token, as `OAUTH-TOKEN` carries it. */
  token: z.string().min(1),
  expires: timestamp,
  user_id: z.int(),
})

export const references = { user_id: { plural: 'users', whenDeleted: 'delete' } } as const
