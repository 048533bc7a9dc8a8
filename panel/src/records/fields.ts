/** How an attribute is edited, as its JSON Schema says. */
export interface EditedField {
  readonly kind: 'choice' | 'boolean' | 'number' | 'text' | 'json'
  readonly options: readonly string[]
  readonly takesNull: boolean
  /** What stands at the right of the name. */
  readonly words: string
}

interface AnySchema {
  readonly type?: string | readonly string[]
  readonly enum?: readonly unknown[]
  readonly anyOf?: readonly AnySchema[]
  readonly pattern?: string
  readonly format?: string
}

/** Reads how an attribute is edited. */
export function readField(schema: object): EditedField {
  const { anyOf, ...own } = schema as AnySchema
  const parts: readonly AnySchema[] = anyOf ?? [own]
  const takesNull = parts.some(
    ({ type }) => type === 'null' || (Array.isArray(type) && type.includes('null')),
  )
  const others = parts.filter(({ type }) => type !== 'null')
  const [first = {}] = others
  const orNull = takesNull ? ' or null' : ''
  const field = (kind: EditedField['kind'], words: string, options: readonly string[] = []): EditedField => ({
    kind,
    options,
    takesNull,
    words: `${words}${orNull}`,
  })
  if (others.length > 1) return field('json', 'text or object')
  if (first.enum !== undefined) {
    const options = first.enum.filter((value) => value !== null).map(String)
    return field('choice', `one of ${options.length}`, options)
  }
  const type = [first.type].flat().find((each) => each !== 'null')
  switch (type) {
    case 'boolean':
      return field('boolean', 'true or false')
    case 'integer':
    case 'number':
      return field('number', type === 'integer' ? 'whole number' : 'number')
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

/** The text in which a value is edited. */
export function toText(value: unknown, { kind }: EditedField): string {
  if (value === null || value === undefined) return ''
  return kind === 'json' && typeof value !== 'string' ? JSON.stringify(value, null, 2) : String(value)
}

/** The value of a text; throws where it is none. */
export function toValue(text: string, { kind, takesNull }: EditedField): unknown {
  if (text === '' && (takesNull || kind !== 'text')) return null
  switch (kind) {
    case 'number': {
      const value = Number(text)
      return Number.isNaN(value) ? text : value
    }
    case 'boolean':
      return text === 'true'
    case 'json':
      return /^\s*[[{"\d]|^(?:true|false|null)$/.test(text) ? JSON.parse(text) : text
    default:
      return text
  }
}
