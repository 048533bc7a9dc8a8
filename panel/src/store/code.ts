import { shellWord } from '../library.ts'

const safe = Symbol('safe')

/** Code that is safe to paste. Only this file creates it, and it escapes every value. */
export interface TypeScriptCode {
  readonly [safe]: true
  readonly text: string
}

const toTypeScript = (text: string): TypeScriptCode => ({ [safe]: true, text })

/** Writes TypeScript: a hole becomes a literal of its value; TypeScript in it does not change. */
export function typescript(texts: TemplateStringsArray, ...holes: readonly unknown[]): TypeScriptCode {
  const text = texts.reduce((before, after, index) => {
    const [indent = ''] = /^ */.exec(before.slice(before.lastIndexOf('\n') + 1)) ?? []
    return before + toLiteral(holes[index - 1]).replaceAll('\n', `\n${indent}`) + after
  })
  return toTypeScript(text)
}

function isTypeScript(value: unknown): value is TypeScriptCode {
  return typeof value === 'object' && value !== null && safe in value
}

/** Writes a shell command of options, each with its words; every word is one argument. */
export function shellCommand(options: readonly (readonly string[])[], separator: string): string {
  const word = (text: string) => (/^[\w-]+$/.test(text) ? text : shellWord(text))
  return options.map((words) => words.map(word).join(' ')).join(separator)
}

export function join(pieces: readonly TypeScriptCode[], separator: ', ' | '\n' | ''): TypeScriptCode {
  return toTypeScript(pieces.map(({ text }) => text).join(separator))
}

export function list(...values: readonly unknown[]): TypeScriptCode {
  return join(
    values.map((value) => typescript`${value}`),
    ', ',
  )
}

/** Writes an object as an argument; empty if the object is empty. */
export function unlessEmpty(value: object): readonly object[] {
  return Object.keys(value).length === 0 ? [] : [value]
}

/** Indents all lines but the first: literals contain no line breaks. */
export function indented({ text }: TypeScriptCode): TypeScriptCode {
  return toTypeScript(text.replaceAll(/\n(?=.)/g, '\n  '))
}

/** Writes access to a member: `.name` or `['a name']`. */
export function member(name: string): TypeScriptCode {
  return toTypeScript(identifier.test(name) ? `.${name}` : `[${textLiteral(name)}]`)
}

/** Writes a comment, in one line whatever its text. */
export function comment(text: string): TypeScriptCode {
  return toTypeScript(`// ${text.replaceAll(/[\n\r\u2028\u2029]+/g, ' ')}`)
}

const width = 90
const identifier = /^[A-Za-z_$][\w$]*$/

/** Writes a value as TypeScript: single quotes, names without quotes, and one member per line if one line is too long. */
function toLiteral(value: unknown): string {
  if (typeof value === 'string') return textLiteral(value)
  if (value === undefined) return 'undefined'
  if (typeof value !== 'object' || value === null) return JSON.stringify(value)
  if (isTypeScript(value)) return value.text
  if (Array.isArray(value)) return enclosed('[', value.map(toLiteral), ']')
  const members = Object.entries(value).filter(([, item]) => item !== undefined)
  const literals = members.map(([name, item]) => memberLiteral(name, item, toLiteral(item)))
  return literals.length === 0 ? '{}' : enclosed('{ ', literals, ' }')
}

function enclosed(open: string, literals: readonly string[], close: string): string {
  const line = `${open}${literals.join(', ')}${close}`
  if (line.length <= width && !line.includes('\n')) return line
  const lines = literals.map((literal) => `  ${literal.replaceAll('\n', '\n  ')},\n`)
  return `${open.trim()}\n${lines.join('')}${close.trim()}`
}

/** Writes a member. A variable of the same name needs no value; other code, such as `true`, is no name. */
function memberLiteral(name: string, item: unknown, value: string): string {
  return isTypeScript(item) && name === value ? name : `${nameOf(name)}: ${value}`
}

/** Writes a text in single quotes: escaped are the characters that JSON escapes, the quote, and `</` and line separators. */
function textLiteral(text: string): string {
  const inside = JSON.stringify(text)
    .slice(1, -1)
    .replaceAll('\\"', '"')
    .replaceAll("'", "\\'")
    .replaceAll('</', '<\\/')
    .replaceAll('\u2028', '\\u2028')
    .replaceAll('\u2029', '\\u2029')
  return `'${inside}'`
}

/** Writes the name of a member; `__proto__` without brackets would set the prototype. */
function nameOf(name: string): string {
  if (name === '__proto__') return "['__proto__']"
  return identifier.test(name) ? name : textLiteral(name)
}
