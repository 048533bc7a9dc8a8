import type { ComponentChildren } from 'preact'

const longest = 20_000

/** A value as JSON, names lighter than what they hold; names that are marked are underlined. */
export function Json({
  value,
  marked = [],
}: {
  readonly value: unknown
  readonly marked?: readonly string[]
}) {
  if (value === undefined) return <p class="nothing">It has no body.</p>
  const text = typeof value === 'string' ? value : JSON.stringify(value, null, 2)
  const shown = text.slice(0, longest)
  return (
    // biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls must be reached by the keyboard
    <pre class="json" tabIndex={0}>
      {typeof value === 'string'
        ? shown
        : shown.split('\n').map((line, index) => lineOf(line, index, marked))}
      {text.length > longest ? `\n… ${text.length - longest} characters more` : ''}
    </pre>
  )
}

function lineOf(line: string, index: number, marked: readonly string[]): ComponentChildren {
  const [, indent, name, rest] = /^(\s*)("(?:[^"\\]|\\.)*":)?(.*)$/.exec(line) ?? []
  const isMarked = name !== undefined && marked.includes(name.slice(1, -2))
  return (
    <span key={index}>
      {indent}
      {name !== undefined && (isMarked ? <mark>{name}</mark> : <i>{name}</i>)}
      {rest}
      {'\n'}
    </span>
  )
}
