import type * as z from 'zod/mini'

/** Makes of a schema one that says the same of every value, sooner. */
export type Prepare = <Schema extends z.core.$ZodType>(schema: Schema) => Schema

/** Code is made of schemas only where a server asks for it: a page may forbid it, and would carry the compiler. */
let prepare: Prepare = (schema) => schema

/** Has schemas prepared from now on. */
export function prepareBy(given: Prepare): void {
  prepare = given
}

/** The schema itself, or what was made of it to parse faster. */
export function prepared<Schema extends z.core.$ZodType>(schema: Schema): Schema {
  return prepare(schema)
}
