import { isObject } from './is-object.ts'

const longest = 600
const traceLine = /^[ \t]*(?:at .+:\d+|File ".+", line \d+|Traceback \(most recent call last\))/m

/** What a finding shows of a reply: stack traces cut to their last line. It is redacted before it is shortened. */
export function excerptOf(text: string): string {
  // A text of megabytes is shown in part, and need not be read for that.
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
  // Some runtimes say what happened first, and where afterwards.
  const said = lines.findLast((line) => !traceLine.test(line) && !/^\s\s/.test(line)) ?? lines.at(-1) ?? ''
  return `(stack trace) ${said.trim()}`
}

/** Cuts a text where it is long. */
export function shorten(text: string): string {
  return text.length > longest ? `${text.slice(0, longest - 1)}…` : text
}
