/** A text as it reads, and where in the text each of its characters was written. */
export interface Reading {
  readonly text: string
  /** Where the character at an index begins in what was written; one more than there are characters, for the end. */
  readonly starts: Uint32Array | undefined
}

/** How often a text may have been written into another: JSON in a form in a page of HTML. */
const deepest = 4

const named: Readonly<Record<string, string>> = { amp: '&', lt: '<', gt: '>', quot: '"', apos: "'" }

/** How JSON, languages, URLs and HTML write a character by something else. */
const written =
  /\\u([0-9a-f]{4})|\\[ux]\{([0-9a-f]{1,6})\}|\\x([0-9a-f]{2})|\\(["'\\/])|((?:%[0-9a-f]{2})+)|&#x([0-9a-f]{1,6});|&#(\d{1,7});|&(amp|lt|gt|quot|apos);/gi

/**
 * A text as it stands, and then as it reads once what is written by codes is read: escapes of JSON and of languages, codes of
 * URLs, entities of HTML, in each other as well.
 *
 * @example
 * [...readingsOf('a%2526b')].map(({ text }) => text) // ['a%2526b', 'a%26b', 'a&b']
 */
export function* readingsOf(text: string): Generator<Reading> {
  let reading: Reading = { text, starts: undefined }
  yield reading
  for (let depth = 0; depth < deepest; depth++) {
    const next = readOnce(reading)
    if (next === undefined) return
    reading = next
    yield reading
  }
}

/** Reads what is written by codes; undefined where nothing is. */
function readOnce({ text, starts }: Reading): Reading | undefined {
  const startOf = (index: number) => (starts === undefined ? index : (starts[index] ?? 0))
  let read = ''
  const startsRead: number[] = []
  const add = (part: string, start: (index: number) => number) => {
    for (let index = 0; index < part.length; index++) startsRead.push(start(index))
    read += part
  }
  let end = 0
  for (const match of text.matchAll(written)) {
    const character = readCode(match)
    if (character === undefined) continue
    const { index } = match
    const before = end
    add(text.slice(before, index), (offset) => startOf(before + offset))
    add(character.text, (offset) => startOf(index + (character.offsets[offset] ?? 0)))
    end = index + match[0].length
  }
  if (end === 0) return undefined
  add(text.slice(end), (offset) => startOf(end + offset))
  startsRead.push(startOf(text.length))
  return { text: read, starts: Uint32Array.from(startsRead) }
}

/** What a code reads as, and how far into the code each of its characters begins. */
function readCode(match: RegExpMatchArray): { text: string; offsets: readonly number[] } | undefined {
  const [, escaped, braced, short, itself, bytes, hex, decimal, name] = match
  if (bytes !== undefined) return readBytes(bytes)
  const code = escaped ?? braced ?? short ?? hex
  if (code !== undefined) return ofCodePoint(Number.parseInt(code, 16))
  if (decimal !== undefined) return ofCodePoint(Number(decimal))
  return { text: itself ?? named[name?.toLowerCase() ?? ''] ?? '', offsets: [0] }
}

function ofCodePoint(code: number): { text: string; offsets: readonly number[] } | undefined {
  return code > 0x10ffff ? undefined : { text: String.fromCodePoint(code), offsets: [0, 0] }
}

/** Bytes that are no UTF-8 read as one character each. */
function readBytes(codes: string): { text: string; offsets: readonly number[] } {
  const bytes = Buffer.from(codes.replaceAll('%', ''), 'hex')
  const text = bytes.toString('utf8')
  if (text.includes('\ufffd'))
    return { text: bytes.toString('latin1'), offsets: [...bytes.keys()].map((at) => at * 3) }
  const offsets: number[] = []
  let at = 0
  for (const character of text) {
    for (let unit = 0; unit < character.length; unit++) offsets.push(at * 3)
    at += Buffer.byteLength(character)
  }
  return { text, offsets }
}
