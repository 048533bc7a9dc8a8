import * as z from 'zod/mini'
import { nonEmptyText, timestamp } from '../attributes.ts'

/** A stored token (spec, "OAuth access token"). */
export const attributes = z.object({
  /** The decoded token, as `OAUTH-TOKEN` carries it. */
  token: nonEmptyText,
  expires: timestamp,
  user_id: z.int(),
})

export const references = { user_id: { plural: 'users', whenDeleted: 'delete' } } as const
