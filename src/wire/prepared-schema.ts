import type * as z from 'zod/mini'

type Prepare = <Schema extends z.core.$ZodType>(schema: Schema) => Schema

/** How often a schema is used before it is prepared: making code of one costs as much as hundreds of uses. */
const usesBefore = 500

/** Code is made of a schema only where a server asks for it: a page may forbid it, and would carry the compiler. */
let prepare: Prepare | undefined
let uses = new WeakMap<z.core.$ZodType, Use>()

interface Use {
  schema: z.core.$ZodType
  left: number
}

/** Has schemas that are used often prepared in this way, from now on. */
export function prepareSchemasWith(given: Prepare | undefined): void {
  if (given === prepare) return
  prepare = given
  uses = new WeakMap()
}

/** The schema itself, or what was made of it to parse faster; both say the same of every value. */
export function prepared<Schema extends z.core.$ZodType>(schema: Schema): Schema {
  if (prepare === undefined) return schema
  let use = uses.get(schema)
  if (use === undefined) {
    use = { schema, left: usesBefore }
    uses.set(schema, use)
  }
  if (use.left > 0 && --use.left === 0) use.schema = prepare(schema)
  // What was made of a schema is of its type.
  return use.schema as Schema
}
