import { findNamedSecrets } from './find-named-secrets.ts'
import { hidden } from './hidden.ts'
import { readEscapes } from './read-escapes.ts'
import { type IsSecret, isSecretName } from './secret-names.ts'
import { joinSpans, replaceSpans, type Span } from './span.ts'

/** Maximum nesting of one encoded text in another, such as JSON in a form in a page of HTML. */
const deepest = 4

/**
 * Replaces the spans that `find` returns, in a text and in its decoded forms: JSON, URLs and HTML, also nested.
 *
 * @example
 * replaceInText('see password%3Dhunter2', findNamedSecrets, () => '***') // 'see password%3D***'
 */
export function replaceInText<Found extends Span>(
  text: string,
  find: (text: string) => readonly Found[],
  replacement: (found: Found) => string,
): string {
  const found = findAtAnyDepth(text, find)
  return found.length === 0 ? text : replaceSpans(text, found, replacement)
}

/** Hides the values of secret names in a text. */
export function hideNamed(text: string, isSecret: IsSecret = isSecretName): string {
  return replaceInText(
    text,
    (read) => findNamedSecrets(read, isSecret),
    () => hidden,
  )
}

/** Finds spans in a text and in its decoded forms; sorted, without overlaps. */
export function findAtAnyDepth<Found extends Span>(
  text: string,
  find: (text: string) => readonly Found[],
  depth = 0,
): Found[] {
  const found = joinSpans(find(text))
  if (depth === deepest) return found
  // Hidden parts must not count as escapes or quotes.
  if (!/[\\%&]/.test(text)) return found
  const masked = replaceSpans(text, found, ({ start, end }) => '*'.repeat(end - start))
  const reading = readEscapes(masked)
  if (reading === undefined) return found
  const inner = findAtAnyDepth(reading.text, find, depth + 1).map((span) => ({
    ...span,
    start: reading.starts[span.start] ?? text.length,
    end: reading.starts[span.end] ?? text.length,
  }))
  return joinSpans([...found, ...inner])
}
