/** A text whose escapes are read, and where each of its characters was written. */
export interface Reading {
  readonly text: string
  /** Where the character at an index starts in the written text; has one element more, for the end. */
  readonly starts: Uint32Array
}

/** The characters that an escape stands for, how long it is, and where in it each of them starts. */
interface Escape {
  readonly text: string
  readonly length: number
  readonly offsets?: readonly number[]
}

const backslash = 92
const percent = 37
const ampersand = 38
const entities = new Map(Object.entries({ amp: '&', lt: '<', gt: '>', quot: '"', apos: "'" }))
const simpleEscapes = new Map(
  Object.entries({ n: '\n', r: '\r', t: '\t', '"': '"', "'": "'", '\\': '\\', '/': '/' }),
)

/**
 * Reads the escapes of a text once: those of JSON and of programming languages, of URLs and of HTML. Returns `undefined`
 * where there are none.
 *
 * @example
 * readEscapes('a%2526b')?.text // 'a%26b'
 */
export function readEscapes(text: string): Reading | undefined {
  const starts = new Uint32Array(text.length + 1)
  const pieces: string[] = []
  let length = 0
  let copied = 0
  for (let at = 0; at < text.length; ) {
    const found = readEscape(text, at)
    if (found === undefined) {
      starts[length++] = at++
      continue
    }
    pieces.push(text.slice(copied, at), found.text)
    for (let index = 0; index < found.text.length; index++)
      starts[length++] = at + (found.offsets?.[index] ?? 0)
    at += found.length
    copied = at
  }
  if (copied === 0) return undefined
  pieces.push(text.slice(copied))
  starts[length] = text.length
  return { text: pieces.join(''), starts: starts.subarray(0, length + 1) }
}

function readEscape(text: string, at: number): Escape | undefined {
  switch (text.charCodeAt(at)) {
    case backslash:
      return readBackslash(text, at)
    case percent:
      return readBytes(text, at)
    case ampersand:
      return readEntity(text, at)
    default:
      return undefined
  }
}

/** Reads `\\"`, `\\u0041`, `\\x41`, `\\u{41}`. */
function readBackslash(text: string, at: number): Escape | undefined {
  const kind = text.charAt(at + 1)
  const simple = simpleEscapes.get(kind)
  if (simple !== undefined) return { text: simple, length: 2 }
  if (kind !== 'u' && kind !== 'x') return undefined
  if (text.charAt(at + 2) === '{') {
    const end = digitsEnd(text, at + 3, 6, 16)
    return text.charAt(end) === '}' ? readCodePoint(text.slice(at + 3, end), 16, end + 1 - at) : undefined
  }
  const digits = kind === 'u' ? 4 : 2
  const end = digitsEnd(text, at + 2, digits, 16)
  return end === at + 2 + digits ? readCodePoint(text.slice(at + 2, end), 16, end - at) : undefined
}

/** Reads `&quot;`, `&#34;`, `&#x22;`. */
function readEntity(text: string, at: number): Escape | undefined {
  if (text.charAt(at + 1) !== '#') {
    const end = text.slice(at + 1, at + 7).indexOf(';')
    const entity = end === -1 ? undefined : entities.get(text.slice(at + 1, at + 1 + end).toLowerCase())
    return entity === undefined ? undefined : { text: entity, length: end + 2 }
  }
  const isHex = text.charAt(at + 2).toLowerCase() === 'x'
  const start = at + (isHex ? 3 : 2)
  const end = digitsEnd(text, start, 7, isHex ? 16 : 10)
  if (end === start || text.charAt(end) !== ';') return undefined
  return readCodePoint(text.slice(start, end), isHex ? 16 : 10, end + 1 - at)
}

function readCodePoint(digits: string, radix: number, length: number): Escape | undefined {
  const code = Number.parseInt(digits, radix)
  return Number.isNaN(code) || code > 0x10ffff ? undefined : { text: String.fromCodePoint(code), length }
}

/** Reads a row of percent-encoded bytes; those that are no UTF-8 read as one character each. */
function readBytes(text: string, at: number): Escape | undefined {
  const bytes: number[] = []
  let end = at
  while (text.charCodeAt(end) === percent && digitsEnd(text, end + 1, 2, 16) === end + 3) {
    bytes.push(Number.parseInt(text.slice(end + 1, end + 3), 16))
    end += 3
  }
  if (bytes.length === 0) return undefined
  if (bytes.every((byte) => byte < 128)) return readEachByte(bytes)
  const decoded = new TextDecoder().decode(Uint8Array.from(bytes))
  if (decoded.includes('\ufffd')) return readEachByte(bytes)
  const offsets: number[] = []
  let index = 0
  for (const character of decoded) {
    for (let unit = 0; unit < character.length; unit++) offsets.push(index * 3)
    index += lengthInUtf8(character)
  }
  return { text: decoded, length: bytes.length * 3, offsets }
}

function readEachByte(bytes: readonly number[]): Escape {
  return {
    text: bytes.map((byte) => String.fromCharCode(byte)).join(''),
    length: bytes.length * 3,
    offsets: bytes.map((_, index) => index * 3),
  }
}

function lengthInUtf8(character: string): number {
  const code = character.codePointAt(0) ?? 0
  if (code < 0x80) return 1
  if (code < 0x800) return 2
  return code < 0x10000 ? 3 : 4
}

/** Finds the end of a row of digits, at most so many. */
function digitsEnd(text: string, start: number, most: number, radix: 10 | 16): number {
  let end = start
  while (end < start + most && isDigit(text.charCodeAt(end), radix)) end++
  return end
}

function isDigit(code: number, radix: 10 | 16): boolean {
  if (code >= 48 && code <= 57) return true
  const letter = code | 32
  return radix === 16 && letter >= 97 && letter <= 102
}
