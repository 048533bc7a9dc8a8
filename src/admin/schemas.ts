import * as z from 'zod'

/** A record with all its attributes, as the model keeps it. */
export const record = z.looseObject({}).describe('A record with all its attributes.')
export const records = z.object({ records: z.array(record) })
/** A fixture; what is wrong inside it is said by the model, with its path. */
export const fixture = z
  .looseObject({})
  .describe('A fixture; its schema is `pipeline-understudy fixture schema`.')
export const duration = z
  .union([z.number().min(0), z.string()])
  .describe('A text such as 500ms, 5s, 20m, 3d; a number is milliseconds, not seconds.')
/** Types a schema of which the engine itself checks more than the schema says. */
export function typed<Value>(schema: z.ZodType): z.ZodType<Value> {
  return schema as z.ZodType<Value>
}
/** The body of a write that says nothing. */
export const nothing = z.strictObject({}).optional()
