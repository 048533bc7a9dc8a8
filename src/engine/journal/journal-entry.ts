import type { OperationName } from '../../resources/table-types.ts'

/** What a request or reply carried; a JSON body is parsed, another is text. */
export interface JournalMessage {
  readonly headers: Readonly<Record<string, string>>
  readonly body: unknown
  /** The length of a body that is too long to be kept, in characters. */
  readonly omitted?: number
}

/** One change in the state, as JSON Patch (RFC 6902) over `{ <plural>: { <key>: record } }`. */
export interface JournalChange {
  readonly op: 'add' | 'replace' | 'remove'
  readonly path: string
  readonly value?: unknown
  /** What was there before, where it was replaced or removed; readers of JSON Patch pass it over. */
  readonly previous?: unknown
}

/** What changed by itself, later. */
export interface JournalConsequence {
  /** When, on the world's clock: `2026-01-01T00:00:01.000Z`. */
  readonly at: string
  readonly changes: readonly JournalChange[]
}

/** One request and its reply. Credentials are replaced by `***`. */
export interface JournalEntry {
  /** Counts from 1 in each world. */
  readonly sequence: number
  readonly world: string
  /** When, on the world's clock: `2026-01-01T00:00:00.000Z`. */
  readonly at: string
  /** The operation that was reached; `undefined` for an unknown path or method. */
  readonly operation: OperationName | undefined
  readonly method: string
  readonly path: string
  readonly query: Readonly<Record<string, string | readonly string[]>>
  /** What the path says in the places of its parameters. */
  readonly params: Readonly<Record<string, string>>
  /** The logical status: `error.code` of the body, or 200. */
  readonly status: number
  readonly httpStatus: number
  readonly milliseconds: number
  /** How long faults held the reply back besides, in milliseconds; `null` where it never came. */
  readonly held: number | null
  readonly request: JournalMessage
  readonly reply: JournalMessage
  /** What the request changed in the state. */
  readonly changes: readonly JournalChange[]
  /** What followed from it by the clock, and from that: each time with its moment, as far as it is kept. */
  readonly followed: readonly JournalConsequence[]
  /** How often something followed that is not kept. */
  readonly omittedFollowed?: number
  /** How many more records it has changed than are kept of one request. */
  readonly omittedChanges?: number
  /** The faults that struck it. */
  readonly faults: readonly string[]
  /**
   * What of the request was accepted and had no effect: a misspelt parameter, an attribute the policy does not list; of a
   * token that was refused, that it is raw where a decoded one belongs.
   */
  readonly notes: readonly string[]
}
