import { parseTime } from '../library.ts'

/** The form field of an attribute, derived from its JSON Schema. */
export interface EditedField {
  readonly kind: 'choice' | 'boolean' | 'number' | 'text' | 'json'
  readonly options: readonly string[]
  readonly takesNull: boolean
  readonly words: string
  readonly pattern: string | undefined
}

interface AnySchema {
  readonly type?: string | readonly string[]
  readonly enum?: readonly unknown[]
  readonly anyOf?: readonly AnySchema[]
  readonly pattern?: string
}

export function readField(schema: object = {}): EditedField {
  const { anyOf, ...own }: AnySchema = schema
  const parts = anyOf ?? [own]
  const takesNull = parts.some(({ type }) => [type].flat().includes('null'))
  const others = parts.filter(({ type }) => type !== 'null')
  const [first = {}] = others
  const field = (kind: EditedField['kind'], words: string, options: readonly string[] = []): EditedField => ({
    kind,
    options,
    takesNull,
    pattern: first.pattern,
    words: takesNull ? `${words} or null` : words,
  })
  if (others.length > 1) return field('json', 'text or object')
  if (first.enum !== undefined) {
    const options = first.enum.filter((value) => value !== null).map(String)
    return field('choice', `one of ${options.length}`, options)
  }
  switch ([first.type].flat().find((each) => each !== 'null')) {
    case 'boolean':
      return field('boolean', 'true or false', ['true', 'false'])
    case 'integer':
      return field('number', 'whole number')
    case 'number':
      return field('number', 'number')
    case 'string':
      return field('text', first.pattern?.includes('\\d{4}') ? 'timestamp' : 'text')
    case 'array':
      return field('json', 'list')
    case 'object':
      return field('json', 'object')
    default:
      return field('json', 'anything')
  }
}

export function toText(value: unknown, { kind }: EditedField): string {
  if (value === null || value === undefined) return ''
  return kind === 'json' && typeof value !== 'string' ? JSON.stringify(value, null, 2) : String(value)
}

/** Parses the text of a field; throws if it is invalid. */
export function toValue(text: string, { kind, takesNull, pattern }: EditedField): unknown {
  if (text === '' && (takesNull || kind !== 'text')) return null
  if (kind === 'boolean') return text === 'true'
  if (kind === 'number') return Number.isNaN(Number(text)) ? text : Number(text)
  const isJson = kind === 'json' && /^\s*[[{"\d]|^(?:true|false|null)$/.test(text)
  if (isJson) return JSON.parse(text)
  return pattern === undefined
    ? text
    : (timestampForms(text).find((form) => new RegExp(pattern).test(form)) ?? text)
}

/** Formats a timestamp for people, and converts it to the form of the API. */
function timestampForms(text: string): string[] {
  const time = parseTime(text)
  if (time === undefined) return [text]
  const iso = new Date(time).toISOString()
  const spaced = iso.replace('T', ' ')
  return [text, `${spaced.slice(0, -1)}000+00:00`, spaced.slice(0, 19), iso]
}
