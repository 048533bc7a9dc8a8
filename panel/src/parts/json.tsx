import type { ComponentChildren } from 'preact'
import { Code, Nothing } from './section.tsx'

const longest = 20_000

interface JsonProps {
  readonly value: unknown
  readonly marked: readonly string[]
}

/** A value as JSON, names lighter than what they hold. */
export function Json({ value, marked }: JsonProps) {
  if (value === undefined) return <Nothing>No body.</Nothing>
  const text = typeof value === 'string' ? value : JSON.stringify(value, null, 2)
  const shown = text.slice(0, longest)
  return (
    <Code as="json">
      {typeof value === 'string'
        ? shown
        : shown.split('\n').map((line, index) => lineOf(line, index, marked))}
      {text.length > longest
        ? `\n… ${(text.length - longest).toLocaleString('en')} more characters; copy to read all`
        : ''}
    </Code>
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
