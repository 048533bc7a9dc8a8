import './without-code-of-text.ts'
import * as z from 'zod'

export const record = z.looseObject({}).describe('A record with all its attributes.')
export const records = z.object({ records: z.array(record) })
/** Schema of a fixture; the model validates its content and reports the path. */
export const fixture = z
  .looseObject({})
  .describe('A fixture; its schema is `pipeline-understudy fixture schema`.')
export const duration = z
  .union([z.number().min(0), z.string()])
  .describe('A text such as 500ms, 5s, 20m, 3d; a number is milliseconds, not seconds.')
/** A number in a query. */
export const wholeNumber = z
  .string()
  .regex(/^\d{1,15}$/, 'a whole number')
  .transform(Number)
/** A boolean in a query. */
export const flag = z.enum(['true', 'false']).transform((text) => text === 'true')
/** Gives a schema the type of a value that the engine validates further. */
export function typed<Value>(schema: z.ZodType): z.ZodType<Value> {
  return schema as z.ZodType<Value>
}
export const nothing = z.strictObject({}).optional()
