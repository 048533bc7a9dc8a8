import { isObject } from './is-object.ts'

const longest = 600
const traceLine = /^[ \t]*(?:at .+:\d+|File ".+", line \d+|Traceback \(most recent call last\))/m

/** Shortens a redacted reply for a finding: stack traces are cut to their last line. */
export function excerptOf(text: string): string {
  // A finding shows only the start of a text of megabytes, so parsing it is unnecessary.
  if (text.length > 200_000) return text.slice(0, 20_000)
  try {
    return JSON.stringify(withoutTraces(JSON.parse(text)))
  } catch {
    return cutTrace(text)
  }
}

/** Cuts every stack trace in a JSON value. */
export function withoutTraces(value: unknown): unknown {
  if (typeof value === 'string') return cutTrace(value)
  if (Array.isArray(value)) {
    const isTrace = value.length > 1 && value.some((line) => typeof line === 'string' && traceLine.test(line))
    if (!isTrace) return value.map(withoutTraces)
    return [`(${value.length} lines of a stack trace) ${cutTrace(String(value.at(-1)))}`]
  }
  if (!isObject(value)) return value
  return Object.fromEntries(Object.entries(value).map(([key, inner]) => [key, withoutTraces(inner)]))
}

function cutTrace(text: string): string {
  if (!traceLine.test(text)) return text
  const lines = text.split('\n').filter((line) => line.trim() !== '')
  // Some runtimes print the message before the trace, others after it.
  const message = lines.findLast((line) => !traceLine.test(line) && !/^\s\s/.test(line)) ?? lines.at(-1) ?? ''
  return `(stack trace) ${message.trim()}`
}

/** Cuts a long text. */
export function shorten(text: string): string {
  return text.length > longest ? `${text.slice(0, longest - 1)}…` : text
}
