/** Text with its escapes decoded, and the original position of each character. */
export interface Reading {
  readonly text: string
  /** Position of each character in the original text, and one more element for its end. */
  readonly starts: Uint32Array
}

/** Escapes of URLs, of JSON and programming languages, and of HTML; the bytes of one character at a time. */
const anyEscape =
  /%[c-f][\da-f](?:%[89ab][\da-f])+|%[\da-f]{2}|\\(?:u[\da-f]{4}|x[\da-f]{2}|u\{[\da-f]{1,6}\}|[0-3]?[0-7]{1,2}|[nrt"'\\/])|&(?:#\d{1,7}|#x[\da-f]{1,6}|amp|lt|gt|quot|apos|equals|colon|nbsp|Tab|NewLine);/gi
const simpleEscapes = new Map(
  Object.entries({
    ...{ n: '\n', r: '\r', t: '\t' },
    ...{ amp: '&', lt: '<', gt: '>', quot: '"', apos: "'", equals: '=', colon: ':' },
    ...{ nbsp: ' ', tab: '\t', newline: '\n' },
  }),
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
  let read = ''
  let copied = 0
  for (const { 0: written, index } of text.matchAll(anyEscape)) {
    for (let at = copied; at < index; at++) starts[read.length + at - copied] = at
    read += text.slice(copied, index)
    const characters = readEscape(written)
    starts.fill(index, read.length, read.length + characters.length)
    read += characters
    copied = index + written.length
  }
  if (copied === 0) return undefined
  for (let at = copied; at <= text.length; at++) starts[read.length + at - copied] = at
  return { text: read + text.slice(copied), starts }
}

function readEscape(written: string): string {
  if (written.startsWith('%')) return readBytes(written)
  const name = written.replace(/^[\\&]|;$/g, '')
  if (/^[0-7]/.test(name)) return String.fromCharCode(Number.parseInt(name, 8))
  const digits = /^(?:#x|[ux]\{?)([\da-f]+)/i.exec(name)?.[1]
  const code = digits === undefined ? Number(name.slice(1)) : Number.parseInt(digits, 16)
  if (name.length > 1 && code <= 0x10ffff) return String.fromCodePoint(code)
  return simpleEscapes.get(name.toLowerCase()) ?? name
}

/** Reads percent-encoded bytes; those that are no UTF-8 read as one character each. */
function readBytes(written: string): string {
  try {
    return decodeURIComponent(written)
  } catch {
    return written.replace(/%(..)/g, (_, digits) => String.fromCharCode(Number.parseInt(digits, 16)))
  }
}
