import { type IsSecret, isDoubtfulName, isPlainValue, isSecretName } from './secret-names.ts'
import type { Span } from './span.ts'

/** What the scanner uses of a string; a test counts the characters that it reads. */
export type ScannedText = Pick<string, 'length' | 'charCodeAt' | 'indexOf' | 'slice'>

/**
 * Finds the values of secret names in a text of any kind: code, configuration, a header, a form, XML, JSON that is cut.
 *
 * A value follows its name and a joint (`=`, `:`, an arrow, a blank behind a flag, the end of a tag). A value in quotes ends
 * with its quote, every other one with its line; brackets and indentation carry it on to the next lines. A value without an
 * end takes the rest of the text. Where it is doubtful what belongs to a value, more is hidden.
 *
 * Each character is read a bounded number of times, so that the time grows with the length of the text alone.
 *
 * @example
 * findNamedSecrets('password: hunter2') // [{ start: 10, end: 17 }]
 */
export function findNamedSecrets(text: ScannedText, isSecret: IsSecret = isSecretName): Span[] {
  return new Scanner(text, isSecret).scan()
}

/** The place between a name and its value. */
interface Joint {
  readonly end: number
  /** Whether the value may go on in lines that are indented deeper, as in YAML and in folded headers. */
  readonly indents?: boolean
}

const newline = 10
const backslash = 92
const quotes = '"\'`'
/** The characters that end a word such as `smtp:user:password@host`. */
const endsWord = characterTable(' \t\r\n/?#"\'<>(,;')
const openers = '([{'
const closers = ')]}'

class Scanner {
  readonly #text: ScannedText
  readonly #isSecret: IsSecret
  readonly #found: Span[] = []
  #at = 0
  #lineStart = 0
  #previousLineStart = 0
  /** The part of a line whose end was looked for last. */
  #line: Span = { start: -1, end: -1 }
  /** The start of the tag that the scanner is in, or -1. */
  #tag = -1
  /** Whether an attribute of the tag has a secret name as its value: `<entry name="password">`. */
  #isSecretTag = false
  /** The name before the present one. */
  #nameStart = -1
  #nameEnd = -1
  /** A name and a `value` that stand beside each other: `name: password`, `value: …`, in either order. */
  #hasSecretName = false
  #valueStart = -1
  /** Where the user and the password of `smtp:user:password@host` start, or -1. */
  #user = -1
  #password = -1

  constructor(text: ScannedText, isSecret: IsSecret) {
    this.#text = text
    this.#isSecret = isSecret
  }

  scan(): Span[] {
    while (this.#at < this.#text.length) {
      if (isNameCharacter(this.#code(this.#at))) this.#readName()
      else this.#readCharacter()
    }
    return this.#found
  }

  #code(index: number): number {
    return index < this.#text.length ? this.#text.charCodeAt(index) : -1
  }

  #character(index: number): string {
    return index < this.#text.length ? String.fromCharCode(this.#text.charCodeAt(index)) : ''
  }

  /** Hides a part of the text and goes on behind it. */
  #hide(start: number, end: number, next = end): void {
    if (end > start) this.#found.push({ start, end })
    this.#at = Math.max(this.#at, next)
  }

  #readCharacter(): void {
    const at = this.#at++
    const code = this.#code(at)
    if (code < 128 && endsWord[code] === 1) this.#user = this.#password = -1
    switch (code) {
      case newline:
        this.#startLine(at)
        return
      case 60: // <
        this.#tag = at
        this.#isSecretTag = false
        return
      case 62: // >
        this.#endTag(at)
        return
      case 59: // ;
        this.#tag = -1
        return
      case 123: // {
      case 125: // }
        this.#tag = -1
        this.#endPair()
        return
      case 47: // /
        if (this.#code(at + 1) === code) this.#hideUser(at + 2)
        return
      case 58: // :
        if (this.#user === -1) this.#user = at + 1
        else if (this.#password === -1) this.#password = at + 1
        return
      case 64: // @
        if (this.#password !== -1) this.#hide(this.#user, at)
    }
  }

  #startLine(newlineAt: number): void {
    this.#previousLineStart = this.#lineStart
    this.#lineStart = newlineAt + 1
    const first = this.#skipBlanks(this.#lineStart)
    if (this.#isLineEnd(first) || this.#character(first) === '-') this.#endPair()
  }

  #endPair(): void {
    this.#hasSecretName = false
    this.#valueStart = -1
  }

  /** Hides the user and the password of a URL, which end with the last `@` before its path. */
  #hideUser(start: number): void {
    let last = -1
    let at = start
    while (at < this.#text.length && !' \t\r\n/?#"\'<>'.includes(this.#character(at))) {
      if (this.#character(at) === '@') last = at
      at++
    }
    if (last !== -1) this.#hide(start, last)
  }

  #readName(): void {
    const start = this.#at
    let end = start
    while (isNameCharacter(this.#code(end))) end++
    this.#at = end
    const name = this.#text.slice(start, end)
    const isElement = this.#tag !== -1 && this.#isElement(start)
    this.#nameStart = start
    this.#nameEnd = end
    // Most names are short words of code and prose.
    if (end - start < 2) return
    if (isFlagOfUser(name)) this.#hideUserOfFlag(end)
    else if (name.startsWith('-u') && this.#code(end) === 58) this.#hide(start + 2, this.#lineEnd(end))
    else if (this.#isSecret(name)) this.#readSecret(name, start, isElement)
    else if (isDoubtfulName(name, this.#isSecret)) this.#readDoubtful(name, start, isElement)
    else if (/value$/i.test(name)) this.#readValueOfPair(name, isElement)
  }

  #readSecret(name: string, start: number, isElement: boolean): void {
    const joint = isElement ? undefined : this.#findJoint(this.#at, name)
    if (isElement) this.#hideElement(name)
    else if (joint !== undefined) this.#hideValue(joint, start)
    else this.#noteSecretName(start)
  }

  /** Hides the value of a name such as `pass` or `tokens`, unless it is a number or a flag. */
  #readDoubtful(name: string, start: number, isElement: boolean): void {
    const joint = isElement ? { end: this.#at + 1 } : this.#findOperator(this.#at)
    if (joint === undefined) return
    const from = this.#skipBlanks(joint.end)
    let to = from
    while (to < this.#text.length && !' \t\r\n,;&|"\'<>)]}'.includes(this.#character(to))) to++
    const isPlain = isPlainValue(this.#text.slice(from, to)) && !quotes.includes(this.#character(to) || ' ')
    if (isPlain && !(to === from && this.#isLineEnd(to))) return
    if (isElement) this.#hideElement(name)
    else this.#hideValue(joint, start)
  }

  /** Notes a secret name that is a value itself, so that the `value` beside it is hidden. */
  #noteSecretName(start: number): void {
    const next = this.#character(this.#at)
    if (next !== '' && !'"\'`\\\r\n&,<>}/]'.includes(next)) return
    const isEndTag = this.#tag !== -1 && this.#tag === start - 2
    if (isEndTag) return
    this.#hasSecretName = true
    if (this.#tag !== -1) this.#isSecretTag = true
    if (this.#valueStart !== -1) this.#hide(this.#valueStart, start)
    this.#hidePartOfForm()
  }

  #readValueOfPair(name: string, isElement: boolean): void {
    if (isElement) {
      if (this.#hasSecretName) this.#hideElement(name)
      return
    }
    const joint = this.#findOperator(this.#at)
    if (joint === undefined) return
    if (this.#hasSecretName) this.#hideValue(joint, this.#nameStart)
    else if (this.#valueStart === -1) this.#valueStart = this.#skipBlanks(joint.end)
  }

  /** Hides a part of a form (`multipart/form-data`) to the boundary, which is the line before its head. */
  #hidePartOfForm(): void {
    const head = 'content-disposition'
    const line = this.#text.slice(this.#lineStart, this.#lineStart + head.length)
    if (line.toLowerCase() !== head) return
    let end = this.#lineEnd(this.#at)
    // The head ends with an empty line.
    while (end < this.#text.length && !this.#isLineEnd(end + 1)) end = this.#lineEnd(end + 1)
    const start = this.#lineEnd(end + 1) + 1
    const boundary = this.#text.slice(this.#previousLineStart, Math.max(this.#lineStart - 1, 0)).trimEnd()
    const next = this.#text.indexOf(`\n${boundary.startsWith('--') ? boundary : '--'}`, start - 1)
    const last = next === -1 ? this.#text.length : this.#character(next - 1) === '\r' ? next - 1 : next
    this.#hide(start, last)
  }

  /** Returns whether a name is the name of an element: `<password>` or `<ns:password>`. */
  #isElement(start: number): boolean {
    if (start === this.#tag + 1) return true
    const isPrefixed = this.#nameStart === this.#tag + 1 && this.#nameEnd === start - 1
    return isPrefixed && this.#character(this.#nameEnd) === ':'
  }

  /** Hides the attributes of an element, and its content to the end tag. */
  #hideElement(name: string): void {
    const found = this.#text.indexOf('>', this.#at)
    const tagEnd = found === -1 ? this.#text.length : found
    const isClosed = this.#character(tagEnd - 1) === '/'
    this.#tag = -1
    this.#hide(this.#at, isClosed ? tagEnd - 1 : tagEnd)
    if (!isClosed && found !== -1) this.#hideContent(tagEnd + 1, `${name}>`)
  }

  /** Hides the content of an element; without an end tag to the end of the line or, where that is empty, of the text. */
  #hideContent(start: number, ending: string): void {
    const found = this.#text.indexOf(ending, start)
    if (found === -1) {
      const isEmpty = this.#isLineEnd(this.#skipBlanks(start))
      this.#hide(start, isEmpty ? this.#text.length : this.#lineEnd(start))
      return
    }
    let end = found
    while (end > start && this.#character(end) !== '<') end--
    this.#hide(start, end)
  }

  #endTag(at: number): void {
    if (this.#tag !== -1 && this.#isSecretTag && this.#character(at - 1) !== '/')
      this.#hideContent(at + 1, '</')
    this.#tag = -1
    this.#isSecretTag = false
  }

  /** Hides `name:password` behind a flag such as `curl -u`. */
  #hideUserOfFlag(end: number): void {
    const from = this.#character(end) === '=' ? end + 1 : this.#skipBlanks(end)
    const start = this.#startsQuote(from) ? from + 1 : from
    let colon = start
    while (colon < this.#text.length && !' \t\r\n:'.includes(this.#character(colon))) colon++
    if (colon > start && this.#character(colon) === ':') this.#hide(start, this.#lineEnd(start))
  }

  /** Finds what joins a name to a value. */
  #findJoint(end: number, name: string): Joint | undefined {
    const operator = this.#findOperator(end)
    if (operator !== undefined) return operator
    const closed = this.#skipClosers(end)
    const next = this.#skipBlanks(closed)
    const isQuoted = closed > end
    if (this.#character(next) === ',' && isQuoted) {
      const listed = this.#skipBlanks(next + 1)
      return this.#startsQuote(listed) && !this.#isMemberName(listed) ? { end: listed } : undefined
    }
    if (this.#character(next) === '(') return this.#startsQuote(next + 1) ? { end: next + 1 } : undefined
    if (next === closed) return undefined
    return this.#startsQuote(next) || (!isQuoted && this.#isValueBehindBlank(next, name))
      ? { end: next }
      : undefined
  }

  /** Finds an operator behind a name: `:`, `=`, `|` or an arrow, with other characters of operators around it. */
  #findOperator(end: number): Joint | undefined {
    const closed = this.#skipClosers(end)
    const start = closed > end ? this.#skipSpace(closed) : this.#skipBlanks(closed)
    let at = start
    while (at < this.#text.length && ':=<>~!+?|-'.includes(this.#character(at))) at++
    const operator = this.#text.slice(start, Math.min(at, start + 9))
    const isDash = operator === '-' && start > closed && ' \t'.includes(this.#character(at) || 'x')
    if (!/[:=|]|->|<-|\?\?/.test(operator) && !isDash) return undefined
    return { end: operator.startsWith('|') ? start + 1 : at, indents: operator === ':' }
  }

  /**
   * Returns whether what follows a blank is a value: behind a flag always, behind `Bearer` every longer word, behind other
   * names what is no word of a sentence.
   */
  #isValueBehindBlank(start: number, name: string): boolean {
    if (this.#isContinued(start)) return name.startsWith('-')
    let end = start
    while (end < this.#text.length && !' \t\r\n'.includes(this.#character(end))) end++
    if (end === start) return false
    if (name.startsWith('-')) return true
    if (/bearer$/i.test(name) && end - start >= 8) return true
    const word = this.#text.slice(start, Math.min(end, start + 99))
    if (!/[a-z\d]/i.test(word)) return false
    if (!/^\(?[a-z'-]*[.,;:!?)]*$/i.test(word) || /[a-z][A-Z]/.test(word)) return true
    return this.#isLineEnd(this.#skipBlanks(end)) && /[a-z]$/i.test(word)
  }

  /** Hides the value behind a joint. */
  #hideValue({ end: jointEnd, indents = false }: Joint, nameStart: number): void {
    const start = this.#skipBlanks(jointEnd)
    const isContinued = this.#isContinued(start)
    if (isContinued || this.#isLineEnd(start)) {
      const end = this.#endOfLinesBelow(start, isContinued || indents ? 'next' : 'deeper')
      this.#hide(this.#skipSpace(this.#lineEnd(start)), end)
    } else if (this.#startsQuote(start)) {
      this.#hideQuoted(start)
    } else if (!this.#isNothing(start)) {
      const end = this.#endOfUnquoted(start)
      const goesOn = indents && this.#startsLine(nameStart)
      this.#hide(start, goesOn ? this.#endOfLinesBelow(end, 'deeper') : end)
    }
  }

  /** Returns whether a value says that there is none. */
  #isNothing(start: number): boolean {
    let end = start
    while (end < start + 9 && isWordCharacter(this.#code(end))) end++
    const next = this.#skipBlanks(end)
    if (!this.#isLineEnd(next) && !',;&)]}'.includes(this.#character(next))) return false
    return /^(?:null|true|false|none|undefined)$/i.test(this.#text.slice(start, end))
  }

  /** Hides a value in quotes, and the rest of the line where something is joined to it. */
  #hideQuoted(start: number): void {
    let at = start
    while (this.#code(at) === backslash) at++
    const slashes = at - start
    const quote = this.#character(at)
    const isTriple = slashes === 0 && this.#character(at + 1) === quote && this.#character(at + 2) === quote
    const length = isTriple ? 3 : 1
    const content = at + length
    const end = this.#findQuote(content, quote.repeat(length), slashes, this.#text.length)
    const next = end + slashes + length
    if (end === -1) this.#hide(content, this.#text.length)
    else if (this.#endsValue(next)) this.#hide(content, end, next)
    else this.#hide(content, this.#endOfUnquoted(next))
  }

  /** Finds the quote that ends a text, where a quote in it has more backslashes before it. Returns where they start, or -1. */
  #findQuote(start: number, quote: string, slashes: number, limit: number): number {
    let run = 0
    for (let at = start; at < limit; at++) {
      if (this.#code(at) === backslash) {
        run++
        continue
      }
      const isQuote =
        this.#character(at) === quote[0] &&
        (quote.length === 1 || this.#text.slice(at, at + quote.length) === quote)
      if (isQuote && run % (2 * (slashes + 1)) === slashes) return at - slashes
      run = 0
    }
    return -1
  }

  /** Returns whether nothing is joined to a value in quotes that ends here. */
  #endsValue(end: number): boolean {
    const next = this.#skipBlanks(end)
    const character = this.#character(next)
    if (this.#isLineEnd(next) || ',;})]>/&<:#|\\'.includes(character)) return true
    return next > end && /[\w@-]/.test(character)
  }

  /**
   * Finds the end of a value without quotes: the end of its line, where no bracket and no long quote is open. Of brackets
   * that are open, the last line is hidden whole.
   */
  #endOfUnquoted(start: number): number {
    let depth = 0
    let at = start
    const lineEnds = new Map<string, number>()
    while (at < this.#text.length) {
      const character = this.#character(at)
      if (character === '\n' && depth === 0) return this.#code(at - 1) === 13 ? at - 1 : at
      if (openers.includes(character) && (character !== '{' || at === start || depth > 0)) depth++
      else if (closers.includes(character) && depth > 0 && --depth === 0) {
        if (openers.includes(this.#character(start)) && this.#endsValue(at + 1)) return at + 1
      } else if (quotes.includes(character) && (character !== "'" || !isWordCharacter(this.#code(at - 1)))) {
        at = this.#skipQuoted(at, character, depth > 0, lineEnds)
        continue
      }
      at++
    }
    return this.#text.length
  }

  /**
   * Skips a text in quotes within a value. A quote without an end on its line is an apostrophe, unless it may go on: in
   * brackets, in backticks or with three quotes.
   */
  #skipQuoted(at: number, quote: string, isInBrackets: boolean, lineEnds: Map<string, number>): number {
    const isTriple = this.#text.slice(at, at + 3) === quote.repeat(3)
    if (isTriple || isInBrackets || quote === '`') {
      const length = isTriple ? 3 : 1
      const end = this.#findQuote(at + length, quote.repeat(length), 0, this.#text.length)
      return end === -1 ? this.#text.length : end + length
    }
    // Once a line has no more of a quote, it is not searched again.
    if (at < (lineEnds.get(quote) ?? 0)) return at + 1
    const lineEnd = this.#lineEnd(at)
    const end = this.#findQuote(at + 1, quote, 0, lineEnd)
    if (end !== -1) return end + 1
    lineEnds.set(quote, lineEnd)
    return at + 1
  }

  /**
   * Finds the end of the lines below that belong to a value: those that are indented deeper than the line of its name. With
   * `next`, the next line belongs to it in any case and, where that is an item of a list, the items after it.
   */
  #endOfLinesBelow(from: number, belongs: 'next' | 'deeper'): number {
    const indent = this.#skipBlanks(this.#lineStart) - this.#lineStart
    let end = this.#lineEnd(from)
    let isNext = belongs === 'next'
    let hasItems = false
    for (let lineEnd = end; lineEnd < this.#text.length; ) {
      const start = lineEnd + 1
      const first = this.#skipBlanks(start)
      lineEnd = this.#lineEnd(start)
      if (this.#isLineEnd(first)) continue
      const isItem = this.#character(first) === '-'
      if (isNext) hasItems = isItem
      const isNextItem = hasItems && isItem && first - start === indent
      if (!isNext && !isNextItem && first - start <= indent) break
      end = lineEnd
      isNext = false
    }
    return this.#code(end - 1) === 13 ? end - 1 : end
  }

  /** Returns whether only blanks, quotes and the sign of a list stand before a name in its line. */
  #startsLine(nameStart: number): boolean {
    let at = nameStart - 1
    while (at >= this.#lineStart && ' \t-"\''.includes(this.#character(at))) at--
    return at < this.#lineStart
  }

  /** Returns whether a line has nothing more than the sign that the value is below: `|`, `>-`, `\`. */
  #isContinued(start: number): boolean {
    let at = start
    while (at < start + 4 && '|>+-\\'.includes(this.#character(at) || ' ')) at++
    return at > start && this.#isLineEnd(this.#skipBlanks(at))
  }

  /** Returns whether a text in quotes is the name of a member: a colon follows it. */
  #isMemberName(start: number): boolean {
    let at = start
    while (this.#code(at) === backslash) at++
    const content = at + 1
    const end = this.#findQuote(
      content,
      this.#character(at),
      at - start,
      Math.min(content + 99, this.#text.length),
    )
    return end !== -1 && this.#character(this.#skipSpace(end + content - start)) === ':'
  }

  #startsQuote(start: number): boolean {
    let at = start
    while (this.#code(at) === backslash) at++
    return quotes.includes(this.#character(at) || ' ')
  }

  /** Skips what closes a name: backslashes, a quote, brackets. */
  #skipClosers(start: number): number {
    let at = start
    while (at < start + 20 && '\\"\'`])'.includes(this.#character(at) || ' ')) at++
    return at
  }

  #skipBlanks(start: number): number {
    let at = start
    while (this.#code(at) === 32 || this.#code(at) === 9 || this.#code(at) === 160) at++
    return at
  }

  #skipSpace(start: number): number {
    let at = start
    while (at < this.#text.length && ' \t\r\n'.includes(this.#character(at))) at++
    return at
  }

  #isLineEnd(at: number): boolean {
    const code = this.#code(at)
    return code === -1 || code === newline || (code === 13 && this.#code(at + 1) === newline)
  }

  #lineEnd(from: number): number {
    if (from < this.#line.start || from > this.#line.end) {
      const end = this.#text.indexOf('\n', from)
      this.#line = { start: from, end: end === -1 ? this.#text.length : end }
    }
    return this.#line.end
  }
}

/** Returns whether a character may be in a name: `session[password]`, `session%5Bpassword%5D`, `X-API-KEY`, `a.b`. */
function isNameCharacter(code: number): boolean {
  return isWordCharacter(code) || code === 45 || code === 46 || code === 37 || code === 91 || code === 93
}

function isWordCharacter(code: number): boolean {
  return (
    (code >= 97 && code <= 122) || (code >= 65 && code <= 90) || (code >= 48 && code <= 57) || code === 95
  )
}

function characterTable(characters: string): Uint8Array {
  const table = new Uint8Array(128)
  for (const character of characters) table[character.charCodeAt(0)] = 1
  return table
}

function isFlagOfUser(name: string): boolean {
  return name === '-u' || name === '-U' || name === '--user' || name === '--proxy-user'
}
