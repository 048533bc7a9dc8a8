import { Code, Nothing } from './section.tsx'

const longest = 20_000

/** A value as JSON, or a text as it is. */
export function Json({ value }: { readonly value: unknown }) {
  if (value === undefined) return <Nothing>No body.</Nothing>
  const text = typeof value === 'string' ? value : JSON.stringify(value, null, 2)
  return (
    <Code>
      {text.slice(0, longest)}
      {text.length > longest &&
        `\n… ${(text.length - longest).toLocaleString('en')} more characters; copy to read all`}
    </Code>
  )
}
