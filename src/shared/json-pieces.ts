/** How many characters of a list are written at once. */
const pieceLength = 32_768
/** How deep in a value lists stand that are long. */
const deepest = 2

/** An object of so many members that each is written by itself. */
export class JsonMembers {
  readonly members: Iterable<readonly [name: string, member: unknown]>

  constructor(members: JsonMembers['members']) {
    this.members = members
  }
}

/**
 * Writes JSON piece by piece, so that its text is never there as a whole: of lists, and of what gives elements one by
 * one, each element by itself; of an object of many members, each of these.
 */
export function* jsonPieces(value: unknown): Generator<string> {
  yield* writeValue(value, 0)
  yield '\n'
}

function* writeValue(value: unknown, depth: number): Generator<string> {
  if (typeof value !== 'object' || value === null || depth > deepest || 'toJSON' in value) yield textOf(value)
  else if (Array.isArray(value) || isIterator(value)) yield* writeList(value)
  else if (value instanceof JsonMembers) yield* writeMembers(value)
  else {
    let before = '{'
    for (const [name, member] of Object.entries(value)) {
      if (member === undefined || typeof member === 'function' || typeof member === 'symbol') continue
      yield `${before}${JSON.stringify(name)}:`
      yield* writeValue(member, depth + 1)
      before = ','
    }
    yield before === '{' ? '{}' : '}'
  }
}

function* writeList(elements: Iterable<unknown>): Generator<string> {
  yield* joined('[', elements, textOf, ']')
}

function* writeMembers({ members }: JsonMembers): Generator<string> {
  yield* joined('{', members, ([name, member]) => `${JSON.stringify(name)}:${textOf(member)}`, '}')
}

function* joined<Element>(
  before: string,
  elements: Iterable<Element>,
  write: (element: Element) => string,
  after: string,
): Generator<string> {
  let text = before
  let isFirst = true
  for (const element of elements) {
    text += isFirst ? write(element) : `,${write(element)}`
    isFirst = false
    if (text.length < pieceLength) continue
    yield text
    text = ''
  }
  yield text + after
}

/** What is no JSON is null, as it is in a list. */
function textOf(value: unknown): string {
  return JSON.stringify(value) ?? 'null'
}

/** Tells an iterator from data, which has no methods. */
function isIterator(value: object): value is IterableIterator<unknown> {
  return Symbol.iterator in value && typeof (value as { next?: unknown }).next === 'function'
}
