/** The `metadata` object beside a list (the document, "List metadata"). */
export interface ListMetadata {
  readonly count: number
  readonly next: boolean
}

/** The text of a reply that carries one record: `{ "<singular>": record }` (the document, conventions, rule 3). */
export function recordEnvelope(singular: string, record: string, hasNullMetadata = false): string {
  return hasNullMetadata ? `{"${singular}":${record},"metadata":null}` : `{"${singular}":${record}}`
}

/** The text of a reply that carries a list: `{ "<plural>": [...], "metadata": {...} }` (conventions, rule 3). */
export function listEnvelope(
  plural: string,
  records: readonly string[],
  metadata: ListMetadata | null,
): string {
  return `{"${plural}":[${records.join(',')}${listEnd(metadata)}`
}

function listEnd(metadata: ListMetadata | null): string {
  const text = metadata === null ? '{}' : `{"count":${metadata.count},"next":${metadata.next}}`
  return `],"metadata":${text}}`
}

/** The members of `error` (the document, "Errors", rule 2). */
export interface ErrorMembers {
  readonly code: number
  readonly message: string
  readonly type: string
}

/** The text of an error reply: the body's own `status` stays 200 (the document, "Errors", rules 1 and 2). */
export function errorEnvelope({ code, message, type }: ErrorMembers): string {
  return JSON.stringify({ error: { code, message, type }, status: 200 })
}
