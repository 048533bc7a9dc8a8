import type { OperationName } from '../../resources/table-types.ts'

/** Content of a request or reply. JSON bodies are objects; other bodies are texts. */
export interface JournalMessage {
  readonly headers: Readonly<Record<string, string>>
  readonly body: unknown
  /** Length of a body that is too long for the journal, in characters. */
  readonly omitted?: number
}

/** One change in the state, as JSON Patch (RFC 6902) over `{ <plural>: { <key>: record } }`. */
export interface JournalChange {
  readonly op: 'add' | 'replace' | 'remove'
  readonly path: string
  readonly value?: unknown
  /** Previous value of a replaced or removed attribute. Readers of JSON Patch ignore it. */
  readonly previous?: unknown
}

/** Scheduled event that followed a request. */
export interface JournalConsequence {
  /** Time of the world's clock: `2026-01-01T00:00:01.000Z`. */
  readonly at: string
  readonly changes: readonly JournalChange[]
}

/** One request and its reply. `***` replaces credentials. */
export interface JournalEntry {
  /** Counts from 1 in each world. */
  readonly sequence: number
  readonly world: string
  /** Time of the world's clock: `2026-01-01T00:00:00.000Z`. */
  readonly at: string
  /** Operation of the request; `undefined` for an unknown path or method. */
  readonly operation: OperationName | undefined
  readonly method: string
  readonly path: string
  readonly query: Readonly<Record<string, string | readonly string[]>>
  /** Values of the path parameters. */
  readonly params: Readonly<Record<string, string>>
  /** The logical status: `error.code` of the body, or 200. */
  readonly status: number
  readonly httpStatus: number
  readonly milliseconds: number
  /** Delay that faults added, in milliseconds; `null` if the reply was never sent. */
  readonly held: number | null
  readonly request: JournalMessage
  readonly reply: JournalMessage
  /** State changes that the request made. */
  readonly changes: readonly JournalChange[]
  /**
   * Stored scheduled events that followed from the request, directly or indirectly, each with its timestamp.
   */
  readonly followed: readonly JournalConsequence[]
  /** Number of scheduled events that followed and are not stored. */
  readonly omittedFollowed?: number
  /** Number of changed records beyond the limit of one request. */
  readonly omittedChanges?: number
  /** Ids of the faults that applied. */
  readonly faults: readonly string[]
  /**
   * Accepted parts of the request that had no effect, such as a misspelled parameter or an attribute that the
   * policy does not list. Also reports a raw token in a header that takes decoded tokens.
   */
  readonly notes: readonly string[]
}
