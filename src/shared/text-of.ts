/**
 * The text of a value that nobody has checked; empty for what is neither text nor number. `String` would call what an
 * object has under `toString`, which in JSON may be anything.
 */
export function textOf(value: unknown): string {
  return typeof value === 'string' || typeof value === 'number' ? String(value) : ''
}
