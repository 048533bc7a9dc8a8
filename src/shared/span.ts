/** A part of a text, from its first character to the one after its last. */
export interface Span {
  readonly start: number
  readonly end: number
}

/** Sorts spans and joins those that overlap; of two that start together, the longer one gives its other members. */
export function joinSpans<Found extends Span>(spans: readonly Found[]): Found[] {
  const sorted = spans.toSorted((one, other) => one.start - other.start || other.end - one.end)
  const joined: Found[] = []
  for (const span of sorted) {
    const last = joined.at(-1)
    if (last === undefined || span.start >= last.end) joined.push(span)
    else if (span.end > last.end) joined[joined.length - 1] = { ...last, end: span.end }
  }
  return joined
}

export function replaceSpans<Found extends Span>(
  text: string,
  spans: readonly Found[],
  replacement: (span: Found) => string,
): string {
  let replaced = ''
  let end = 0
  for (const span of spans) {
    replaced += text.slice(end, span.start) + replacement(span)
    end = span.end
  }
  return replaced + text.slice(end)
}
