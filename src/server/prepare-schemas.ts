import type * as z from 'zod/mini'
import { type Prepare, prepareBy } from '../shared/prepared-schema.ts'

/** How often a schema is used before code is made of it: that costs as much as hundreds of uses. */
const usesBefore = 500

interface Use {
  schema: z.core.$ZodType
  left: number
}

/** Has code made of schemas that are used often, by a compiler that is loaded when the first of them is. */
export function prepareSchemas(): void {
  const uses = new WeakMap<z.core.$ZodType, Use>()
  prepareBy(<Schema extends z.core.$ZodType>(schema: Schema) => {
    let use = uses.get(schema)
    if (use === undefined) {
      use = { schema, left: usesBefore }
      uses.set(schema, use)
    }
    if (use.left > 0 && --use.left === 0) void compileLater(use)
    // What was made of a schema is of its type.
    return use.schema as Schema
  })
}

async function compileLater(use: Use): Promise<void> {
  try {
    const { compile }: { compile: Prepare } = await import('./compile-schema.ts')
    use.schema = compile(use.schema)
  } catch {
    // Where no code may be made of text, the schema goes on as it is.
  }
}
