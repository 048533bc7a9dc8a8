import type * as z from 'zod/mini'

/** Makes of a schema one that says the same of every value, sooner. */
export type Prepare = <Schema extends z.core.$ZodType>(schema: Schema) => Schema

/** How often a schema is used before it is prepared: making code of one costs as much as hundreds of uses. */
const usesBefore = 500

/** Code is made of schemas only where a server asks for it: a page may forbid it, and would carry the compiler. */
let load: (() => Promise<Prepare>) | undefined
const uses = new WeakMap<z.core.$ZodType, Use>()

interface Use {
  schema: z.core.$ZodType
  left: number
}

/** Has schemas that are used often prepared from now on, by what is loaded when the first of them is. */
export function prepareSchemasBy(given: () => Promise<Prepare>): void {
  load ??= given
}

/** The schema itself, or what was made of it to parse faster. */
export function prepared<Schema extends z.core.$ZodType>(schema: Schema): Schema {
  if (load === undefined) return schema
  let use = uses.get(schema)
  if (use === undefined) {
    use = { schema, left: usesBefore }
    uses.set(schema, use)
  }
  if (use.left > 0 && --use.left === 0) prepareLater(use, load)
  // What was made of a schema is of its type.
  return use.schema as Schema
}

function prepareLater(use: Use, load: () => Promise<Prepare>): void {
  load()
    .then((prepare) => {
      use.schema = prepare(use.schema)
    })
    // Where no code may be made of text, the schema goes on as it is.
    .catch(() => undefined)
}
