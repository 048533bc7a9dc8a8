import type * as z from 'zod'

/** What is said of an attribute, and a value it may have. Nested ones are written `outer.inner` and `outer[].inner`. */
export type Note = readonly [says: string, example?: unknown]

/** What the OpenAPI document says of a resource and the table of resources does not. */
export interface ResourceNotes {
  /** The name of the tag. */
  readonly title: string
  readonly description: string
  readonly attributes: Readonly<Record<string, Note>>
  /** The schemas of attributes that are computed; `listOf` stands for records of another resource. */
  readonly shapes?: Readonly<Record<string, z.ZodType | { readonly listOf: string }>>
  /** What a request writes, by operation, for an example. */
  readonly requests?: Readonly<Record<string, object>>
  /** Where the example of a reply differs from those of the attributes, by operation. */
  readonly replies?: Readonly<Record<string, object>>
}
