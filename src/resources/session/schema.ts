import * as z from 'zod/mini'
import { timestamp } from '../attributes.ts'

/** A session, which exists only in the reply (`session-fields`). */
export const attributes = z.object({
  token: z.string(),
  expires: timestamp,
  user: z.object({ id: z.int(), username: z.string(), email: z.string() }),
})

/** The attributes that requests write and records do not store. */
export const writeOnly = ['email', 'username', 'password'] as const

/** Attributes that a client may write when it creates a session. */
export const newSession = z.object({
  email: z.optional(z.string()),
  username: z.optional(z.string()),
  password: z.optional(z.string()),
})
