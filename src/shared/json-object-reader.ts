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
  'first member': {},
  member: {},
  colon: { ':': 'value' },
  value: { '[': 'first element', '{': 'first member' },
  'first element': {},
  element: {},
  'after element': { ',': 'element' },
  'after member': { ',': 'member' },
  done: {},
}

const blank = /[ \t\n\r]/
const endsScalar = /[\s,\]}]/

export interface ReaderOptions {
  /** Called with each value that has been read. */
  readonly check?: (value: unknown) => void
  /** How many objects within one another are read member by member; one that stands deeper is read when it is whole. */
  readonly deepest?: number | undefined
  /** How many values what is read whole may hold, and how many members what is not. */
  readonly mostValues?: number
}

/** An object that is being read, and the name of the member whose value comes next. */
interface OpenObject {
  readonly members: [name: string, value: unknown][]
  name: string
}

/**
 * Reads a JSON object that comes in pieces, however long it is: each element of a list that is a member of it, or of an
 * object that is one, is read when it is whole, so that neither its text is ever there as a whole, nor does reading it
 * take long at once.
 */
export class JsonObjectReader {
  readonly #check: (value: unknown) => void
  readonly #deepest: number
  readonly #mostValues: number
  /** The objects within one another that are read member by member. */
  readonly #opened: OpenObject[] = []
  #whole: Record<string, unknown> | undefined
  #state: State = 'start'
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
  /** How many values what has come of it holds. */
  #values = 0

  constructor({
    check = () => undefined,
    deepest = 3,
    mostValues = Number.POSITIVE_INFINITY,
  }: ReaderOptions = {}) {
    this.#check = check
    this.#deepest = deepest
    this.#mostValues = mostValues
  }

  /** @throws SyntaxError where it is no JSON; RangeError where what is read whole holds too many values. */
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
    if (this.#whole === undefined) throw new SyntaxError('The object has no end.')
    return this.#whole
  }

  #step(next: string): void {
    const state = this.#state
    const isValue =
      (next === '"' && (state === 'first member' || state === 'member')) ||
      (state === 'value' && next !== '[' && (next !== '{' || this.#opened.length === this.#deepest)) ||
      (next !== ']' && state === 'first element') ||
      state === 'element'
    if (isValue) this.#readValue()
    else if (next === ']' && (state === 'first element' || state === 'after element')) this.#closeList()
    else if (next === '}' && (state === 'first member' || state === 'after member')) this.#closeObject()
    else this.#take(next)
  }

  #take(next: string): void {
    const state = follows[this.#state][next]
    if (state === undefined) throw new SyntaxError(`Unexpected ${JSON.stringify(next)}.`)
    if (state === 'first element') this.#list = []
    else if (state === 'first member') this.#opened.push({ members: [], name: '' })
    this.#at++
    this.#state = state
  }

  #closeList(): void {
    this.#at++
    this.#add(this.#list)
  }

  #closeObject(): void {
    this.#at++
    const { members } = this.#opened.pop()!
    const value = Object.fromEntries(members)
    if (this.#opened.length > 0) this.#add(value)
    else {
      this.#whole = value
      this.#state = 'done'
    }
  }

  #add(value: unknown): void {
    const { members, name } = this.#opened.at(-1)!
    this.#bound(members.push([name, value]))
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
    this.#values = 0
    this.#check(value)
    this.#keep(value)
  }

  #keep(value: unknown): void {
    if (this.#state === 'value') this.#add(value)
    else if (this.#state === 'member' || this.#state === 'first member') {
      const name = value as string
      this.#opened.at(-1)!.name = name
      this.#check(Object.fromEntries([[name, null]]))
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
      else if (character === ',') this.#count()
      else if (character === '{' || character === '[') {
        this.#depth++
        this.#count()
      } else if (character === '}' || character === ']') {
        this.#depth--
        if (this.#depth === 0) return index + 1
      }
    }
    return undefined
  }

  #count(): void {
    this.#bound(++this.#values)
  }

  #bound(count: number): void {
    if (count > this.#mostValues) throw new RangeError(`Expected at most ${this.#mostValues} values.`)
  }
}

function findScalarEnd(text: string, begin: number): number | undefined {
  for (let index = begin; index < text.length; index++) if (endsScalar.test(text[index]!)) return index
  return undefined
}
