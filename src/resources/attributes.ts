import * as z from 'zod'
import { microsecondsPattern, parseDatetime, parseDuration } from '../wire/timestamps.ts'

/** Marks the schemas that hold a moment, so that fixtures and presenters find them. */
const timestamps = z.registry<{ moment: true }>()

/** A stored moment: `YYYY-MM-DD HH:MM:SS.ffffff+00:00`. */
export const timestamp = z
  .string()
  .regex(microsecondsPattern, 'a timestamp such as 2026-01-31 12:00:00.000000+00:00')
  .register(timestamps, { moment: true })

/** A moment as a request writes it: `YYYY-MM-DD HH:MM:SS`, or a timestamp as replies carry it. */
export const datetime = z
  .string()
  .refine((text) => parseDatetime(text) !== undefined, 'a datetime such as 2026-01-31 12:00:00')
  .register(timestamps, { moment: true })

/** A JSON object whose keys the document does not show, kept as it is. */
export const anyObject = z.record(z.string(), z.unknown())

/** How long something takes: milliseconds, or a text such as `20s`. */
export const duration = z
  .union([z.string(), z.number()])
  .refine((value) => parseDuration(value) !== undefined, 'milliseconds, or a duration such as 5s')

/** A positive number that identifies a record. */
export const id = z.int().min(1)

/** Tells whether an attribute's schema holds a moment. */
export function holdsMoment(schema: z.core.$ZodType): boolean {
  if (timestamps.has(schema)) return true
  const inner = (schema as { _zod: { def: { innerType?: z.core.$ZodType } } })._zod.def.innerType
  return inner !== undefined && holdsMoment(inner)
}
