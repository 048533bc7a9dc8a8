/** A reply that is written piece by piece: its text is never there as a whole. */
export class JsonText {
  readonly pieces: Iterable<string>

  constructor(value: unknown) {
    this.pieces = piecesOf(value)
  }
}

/** How many characters of a list are written at once. */
const pieceLength = 32_768
/** How deep in a value lists stand that are long. */
const deepest = 2

/** Writes JSON; of lists, and of what gives elements one by one, each element by itself. */
function* piecesOf(value: unknown): Generator<string> {
  yield* writeValue(value, 0)
  yield '\n'
}

function* writeValue(value: unknown, depth: number): Generator<string> {
  if (typeof value !== 'object' || value === null || depth > deepest) yield JSON.stringify(value)
  else if (Symbol.iterator in value) yield* writeList(value as Iterable<unknown>)
  else {
    let before = '{'
    for (const [name, member] of Object.entries(value)) {
      if (member === undefined) continue
      yield `${before}${JSON.stringify(name)}:`
      yield* writeValue(member, depth + 1)
      before = ','
    }
    yield before === '{' ? '{}' : '}'
  }
}

function* writeList(elements: Iterable<unknown>): Generator<string> {
  let text = '['
  let isFirst = true
  for (const element of elements) {
    text += isFirst ? JSON.stringify(element) : `,${JSON.stringify(element)}`
    isFirst = false
    if (text.length < pieceLength) continue
    yield text
    text = ''
  }
  yield `${text}]`
}
