import * as z from 'zod/mini'
import { nonEmptyText, timestamp } from '../attributes.ts'

/** A stored token (spec, "OAuth access token"). */
export const attributes = z.object({
  /** The decoded token, as in the header `OAUTH-TOKEN`. */
  token: nonEmptyText,
  expires: timestamp,
  user_id: z.int(),
})

export const references = { user_id: { plural: 'users', whenDeleted: 'delete' } } as const
