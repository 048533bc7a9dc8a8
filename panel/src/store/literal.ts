const width = 96

/** Writes a value as TypeScript has it: single quotes, names without quotes, and lines where one would be too long. */
export function toLiteral(value: unknown, indent = ''): string {
  const short = inOneLine(value)
  if (indent.length + short.length <= width || typeof value !== 'object' || value === null) return short
  const inner = `${indent}  `
  const lines = Array.isArray(value)
    ? value.map((item) => `${inner}${toLiteral(item, inner)},`)
    : Object.entries(value)
        .filter(([, item]) => item !== undefined)
        .map(([name, item]) => `${inner}${nameOf(name)}: ${toLiteral(item, inner)},`)
  const [open, close] = Array.isArray(value) ? '[]' : '{}'
  return `${open}\n${lines.join('\n')}\n${indent}${close}`
}

function inOneLine(value: unknown): string {
  if (typeof value === 'string') return textOf(value)
  if (value === undefined) return 'undefined'
  if (typeof value !== 'object' || value === null) return JSON.stringify(value)
  if (Array.isArray(value)) return `[${value.map(inOneLine).join(', ')}]`
  const pairs = Object.entries(value).filter(([, item]) => item !== undefined)
  if (pairs.length === 0) return '{}'
  return `{ ${pairs.map(([name, item]) => `${nameOf(name)}: ${inOneLine(item)}`).join(', ')} }`
}

/** A text in single quotes: what JSON escapes, and the quote itself. */
function textOf(text: string): string {
  const inside = JSON.stringify(text).slice(1, -1)
  return `'${inside.replaceAll('\\"', '"').replaceAll("'", "\\'")}'`
}

function nameOf(name: string): string {
  return /^[A-Za-z_$][\w$]*$/.test(name) ? name : textOf(name)
}
