type State =
  | 'start'
  | 'first member'
  | 'member'
  | 'colon'
  | 'value'
  | 'first element'
  | 'element'
  | 'after element'
  | 'after member'
  | 'done'

/** What comes after a mark, by what was expected. */
const follows: Readonly<Record<State, Readonly<Record<string, State | undefined>>>> = {
  start: { '{': 'first member' },
  'first member': { '}': 'done' },
  member: {},
  colon: { ':': 'value' },
  value: { '[': 'first element' },
  'first element': {},
  element: {},
  'after element': { ',': 'element' },
  'after member': { ',': 'member', '}': 'done' },
  done: {},
}

const blank = /[ \t\n\r]/
const endsScalar = /[\s,\]}]/

/**
 * Reads a JSON object that comes in pieces, however long it is: each element of a list that is a member of it is read
 * when it is whole, so that neither its text is ever there as a whole, nor does reading it take long at once.
 */
export class JsonObjectReader {
  readonly #check: (value: unknown) => void
  readonly #members: [name: string, value: unknown][] = []
  #state: State = 'start'
  #name = ''
  #list: unknown[] = []
  /** The piece that is read, and where in it. */
  #text = ''
  #at = 0
  /** What has come of a value that is not whole yet, and where in it things stand. */
  #parts: string[] = []
  #isNested = false
  #depth = 0
  #isInText = false
  #isEscaped = false

  /** @param check called with each value that has been read. */
  constructor(check: (value: unknown) => void = () => undefined) {
    this.#check = check
  }

  /** @throws SyntaxError where it is no JSON. */
  push(piece: string): void {
    this.#text = piece
    this.#at = 0
    while (this.#at < piece.length) {
      if (this.#parts.length > 0) this.#readValue()
      else if (blank.test(piece[this.#at]!)) this.#at++
      else this.#step(piece[this.#at]!)
    }
  }

  /** @throws SyntaxError where it is not whole. */
  end(): Record<string, unknown> {
    if (this.#state !== 'done') throw new SyntaxError('The object has no end.')
    return Object.fromEntries(this.#members)
  }

  #step(next: string): void {
    const state = this.#state
    const isValue =
      (next === '"' && (state === 'first member' || state === 'member')) ||
      (next !== '[' && state === 'value') ||
      (next !== ']' && state === 'first element') ||
      state === 'element'
    if (isValue) this.#readValue()
    else if (next === ']' && (state === 'first element' || state === 'after element')) this.#closeList()
    else this.#take(next)
  }

  #take(next: string): void {
    const state = follows[this.#state][next]
    if (state === undefined) throw new SyntaxError(`Unexpected ${JSON.stringify(next)}.`)
    if (state === 'first element') this.#list = []
    this.#at++
    this.#state = state
  }

  #closeList(): void {
    this.#at++
    this.#add(this.#list)
  }

  #add(value: unknown): void {
    this.#members.push([this.#name, value])
    this.#state = 'after member'
  }

  /** Reads on in a value, to its end or that of the piece. */
  #readValue(): void {
    const text = this.#text
    const begin = this.#at
    if (this.#parts.length === 0) this.#isNested = '{["'.includes(text[begin]!)
    const end = this.#isNested ? this.#findEnd(begin) : findScalarEnd(text, begin)
    this.#parts.push(text.slice(begin, end))
    this.#at = end ?? text.length
    if (end === undefined) return
    const value: unknown = JSON.parse(this.#parts.join(''))
    this.#parts = []
    this.#check(value)
    this.#keep(value)
  }

  #keep(value: unknown): void {
    if (this.#state === 'value') this.#add(value)
    else if (this.#state === 'member' || this.#state === 'first member') {
      this.#name = value as string
      this.#check(Object.fromEntries([[this.#name, null]]))
      this.#state = 'colon'
    } else {
      this.#list.push(value)
      this.#state = 'after element'
    }
  }

  /** Where a text, list or object ends; `undefined` where that has not come. */
  #findEnd(begin: number): number | undefined {
    const text = this.#text
    for (let index = begin; index < text.length; index++) {
      const character = text[index]
      if (this.#isInText) {
        if (this.#isEscaped) this.#isEscaped = false
        else if (character === '\\') this.#isEscaped = true
        else if (character === '"') {
          this.#isInText = false
          if (this.#depth === 0) return index + 1
        }
      } else if (character === '"') this.#isInText = true
      else if (character === '{' || character === '[') this.#depth++
      else if (character === '}' || character === ']') {
        this.#depth--
        if (this.#depth === 0) return index + 1
      }
    }
    return undefined
  }
}

function findScalarEnd(text: string, begin: number): number | undefined {
  for (let index = begin; index < text.length; index++) if (endsScalar.test(text[index]!)) return index
  return undefined
}
