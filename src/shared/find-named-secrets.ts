import { type IsSecret, isDoubtfulName, isPlainValue, isSecretName } from './secret-names.ts'
import type { Span } from './span.ts'

/** Members of a string that the scanner uses. A test counts the characters that it reads. */
export type ScannedText = Pick<string, 'length' | 'charCodeAt' | 'indexOf' | 'slice'>

/**
 * Finds the values of secret names in any text: code, configuration, a header, a form, XML, incomplete JSON.
 *
 * A value follows its name and a separator (`=`, `:`, an arrow, a blank behind a flag, a tag). A value in
 * quotes ends with its quote, every other one with its line. Open brackets and indentation continue it on the
 * next lines. A value without an end takes the rest of the text. In doubt, more is hidden.
 *
 * The scanner reads each character a bounded number of times, so its time is linear in the length of the
 * text.
 *
 * @example
 * findNamedSecrets('password: hunter2') // [{ start: 10, end: 17 }]
 */
export function findNamedSecrets(text: ScannedText, isSecret: IsSecret = isSecretName): Span[] {
  if (typeof text !== 'string') return new Scanner(text, isSecret).scan()
  // Most texts of a reply are one word, in which nothing joins a value to a name.
  return oneWord.test(text) ? [] : new Scanner(narrow(text), isSecret).scan()
}

const oneWord = /^[\w-]*$/

const quotes = '"\'`'
/** Quotes of texts that span lines. */
const longQuotes = ['"""', "'''", '`']
const operators = [':', '=', '|', '->', '<-', '??']
const userFlags = new Set(['-u', '-U', '--user', '--proxy-user'])
/** The flags of one letter that precede a password, and the programs and other flags before them in a line. */
const programsByFlag = {
  '-p': [
    ...['mysql', 'mysqldump', 'mysqladmin', 'mysqlimport', 'mysqlsh', 'mariadb', 'mariadb-dump'],
    ...[
      'mongo',
      'mongosh',
      'mongodump',
      'mongorestore',
      'sshpass',
      'login',
      '7z',
      '7za',
      '7zz',
      '-u',
      '--user',
      '--username',
    ],
  ],
  '-P': ['sqlcmd', 'bcp', 'isql', 'zip', 'unzip'],
  '-a': ['redis-cli'],
  '-w': ['ldapsearch', 'ldapadd', 'ldapmodify', 'ldapwhoami'],
}
const passwordFlags: ReadonlyMap<string, string> = new Map(
  Object.entries(programsByFlag).flatMap(([flag, programs]) => programs.map((program) => [program, flag])),
)
const nothing = new Set(['null', 'true', 'false', 'none', 'undefined'])
/** Verbs between a secret name and its value: `the password is lantern`. */
const verbs = new Set(['is', 'was', 'are', 'were', 'equals'])
/** Words that describe a credential, or continue a sentence about one: `is expired`, `is too short`. */
const description =
  /^(?:\w+(?:ed|ing|able|ible|id|al|ent|ary|less|ful)|ok|good|bad|new|old|same|long|short|safe|weak|wrong|right|correct|missing|secret|empty|unset|unknown|hidden|known|given|taken|sent|kept|set|read|null|none|true|false|no|not|never|always|often|usually|only|also|still|now|then|here|there|too|so|very|one|what|where|when|how|why|that|this|an?|the|its?|your|my|their|in|of|on|at|as|by|for|from|to|with|without|if|and|or|but|up|out|less|more)[.,;:!?)]*$/i
const formHead = 'content-disposition'

class Scanner {
  readonly #text: ScannedText
  readonly #isSecret: IsSecret
  readonly #found: Span[] = []
  #at = 0
  #lineStart = 0
  /** The start of the name of the element that the scanner is in the name of, or -1. */
  #tagName = -1
  /** True if the scanner is in a tag; `#isSecretTag` if that has a secret name as a value: `<entry name="password">`. */
  #isInTag = false
  #isSecretTag = false
  /** The start of a possible user in the present word, and whether an `@` ends one: `//user@`, `smtp:user:password@`. */
  #user = -1
  #hasUser = false
  /** A secret name and a `value` beside it: `name: password`, `value: …`, in either order. */
  #hasSecretName = false
  #valueStart = -1
  /** The flag behind which the program of this line takes a password. */
  #passwordFlag: string | undefined
  /** The end of the last `identified` of SQL, or -1: `IDENTIFIED BY 'lantern'`. */
  #identified = -1
  /** The end of the part in which no colon ends a user: the flags of one long word must not search it again each. */
  #searchedForUser = 0
  /** The last word that the scanner has read. */
  #wordStart = 0
  #wordEnd = -1

  constructor(text: ScannedText, isSecret: IsSecret) {
    this.#text = text
    this.#isSecret = isSecret
  }

  scan(): Span[] {
    while (this.#at < this.#text.length) {
      if (isNameCharacter(this.#text.charCodeAt(this.#at))) this.#readName()
      else this.#readCharacter()
    }
    return this.#found
  }

  /** Returns a character, or `undefined` behind the end, which no set of characters includes. */
  #character(index: number): string | undefined {
    if (index >= this.#text.length) return undefined
    const code = this.#text.charCodeAt(index)
    return isOtherBlank(code) ? ' ' : String.fromCharCode(code)
  }

  #isOneOf(index: number, characters: string): boolean {
    return index < this.#text.length && characters.includes(this.#character(index) ?? '')
  }

  /** Hides a part of the text and continues behind it. */
  #hide(start: number, end: number, next = end): void {
    if (end > start) this.#found.push({ start, end })
    this.#at = Math.max(this.#at, next)
  }

  #readCharacter(): void {
    const at = this.#at++
    const character = this.#character(at)
    if (this.#isOneOf(at, ' \t\r\n/?#"\'<>')) {
      this.#hasUser = character === '/' && this.#character(at - 1) === '/'
      this.#user = this.#hasUser ? at + 1 : -1
    }
    if (character !== ':') this.#tagName = -1
    if (character === '<') this.#startTag(at + 1)
    else if (character === '>') this.#readTagEnd(at)
    else if (character === '{' || character === '}') this.#endPair()
    else if (character === '\n') this.#startLine(at + 1)
    else if (character === '@' && this.#hasUser) this.#hide(this.#user, at)
    else if (character === ':' && this.#user === -1) this.#user = at + 1
    else if (character === ':') this.#hasUser = true
  }

  #startTag(name: number): void {
    this.#tagName = name
    this.#isInTag = true
    this.#isSecretTag = false
  }

  #readTagEnd(at: number): void {
    if (this.#isSecretTag && this.#character(at - 1) !== '/') this.#hideValue(at + 1, at)
    this.#isInTag = false
    this.#isSecretTag = false
  }

  #startLine(start: number): void {
    this.#lineStart = start
    const first = this.#skip(start, ' \t')
    if (this.#isLineEnd(first) || this.#character(first) === '-') this.#endPair()
    // A command may continue behind a backslash, or be a list with an argument on each line.
    if (!this.#isOneOf(start - 2, '\\\r') && !this.#isOneOf(first, '-"\'')) this.#passwordFlag = undefined
  }

  #endPair(): void {
    this.#isInTag = false
    this.#isSecretTag = false
    this.#hasSecretName = false
    this.#valueStart = -1
  }

  #readName(): void {
    const start = this.#at
    while (isNameCharacter(this.#text.charCodeAt(this.#at))) this.#at++
    const end = this.#at
    // Most names are short words of code and prose.
    if (end - start < 2) return
    const name = this.#text.slice(this.#startOfKey(start, end), end).replace(' ', '_')
    const isDoubtful = !this.#isSecret(name)
    this.#passwordFlag = passwordFlags.get(name) ?? this.#passwordFlag
    if (userFlags.has(name)) this.#hideUser(this.#skip(end, ' \t='))
    else if (name.startsWith('-u') && this.#character(end) === ':') this.#hideUser(start + 2)
    else if (this.#startsPasswordFlag(name, isDoubtful)) this.#readPasswordFlag(start)
    else if (/^identified$/i.test(name)) this.#identified = end
    else if (this.#identified !== -1 && this.#isIdentifiedBy(name, start)) this.#hideValue(end, start)
    else if (isDoubtful && name.toLowerCase().endsWith('value')) this.#readValueOfPair(start, end)
    else if (isDoubtful && !isDoubtfulName(name, this.#isSecret)) return
    else if (this.#tagName !== -1) this.#hideElement(isDoubtful)
    else this.#readSecret(name, start, isDoubtful)
  }

  /** Returns where the words of a name such as `API key` start, or the start of its last word. */
  #startOfKey(start: number, end: number): number {
    const before = this.#wordStart
    const isJoined = this.#wordEnd === start - 1 && this.#character(start - 1) === ' '
    this.#wordStart = start
    this.#wordEnd = end
    const isKey = end - start <= 4 && /^keys?$/i.test(this.#text.slice(start, end))
    return isKey && isJoined && this.#isSecret(`${this.#text.slice(before, start - 1)}_key`) ? before : start
  }

  #startsPasswordFlag(name: string, isDoubtful: boolean): boolean {
    if (!name.startsWith('-')) return false
    const isKnown = this.#passwordFlag !== undefined && name.startsWith(this.#passwordFlag)
    // A password may end in a secret name itself, `-pmy-secret`, unlike the flag `-password`.
    return isDoubtful ? isKnown || name.startsWith('-p') : isKnown && !/^-p(?:ass|w)/i.test(name)
  }

  /** Hides a password behind a flag of one letter, with or without a blank: `-p lantern`, `-plantern`. */
  #readPasswordFlag(start: number): void {
    const flag = this.#text.slice(start, start + 2)
    const isListed = this.#isOneOf(start - 1, quotes)
    const isKnown = flag === this.#passwordFlag
    const isJoined = this.#at > start + 2 || (!isListed && this.#startsQuote(this.#at))
    if (isJoined && isKnown) this.#hideValue(start + 2, start)
    if (isJoined || !(isKnown || flag === '-p')) return
    const joint = this.#findOperator(this.#at) ?? this.#findBlank(this.#at, isKnown ? flag : 'p')
    if (joint !== undefined && (isKnown || !this.#isPortOrPath(joint))) this.#hideValue(joint, start)
  }

  /** Returns whether a value is a port, several of them, or a path: `ssh -p 22`, `docker run -p 8080:80`, `mkdir -p a/b`. */
  #isPortOrPath(joint: number): boolean {
    const word = this.#wordAt(this.#skip(joint, ' \t"\''))
    return word.includes('/') || /^[\d.:]*["',;)\]]*$/.test(word)
  }

  /** Returns whether a name is the `by` of SQL: `IDENTIFIED WITH mysql_native_password BY`. */
  #isIdentifiedBy(name: string, start: number): boolean {
    if (start - this.#identified > 64 || !/^by$/i.test(name)) return false
    const between = this.#text.slice(this.#identified, start)
    return /^\s+(?:(?:with|via)\s+\S+\s+)?$/i.test(between) && !this.#describes(start + 2)
  }

  #readSecret(name: string, start: number, isDoubtful: boolean): void {
    const joint =
      this.#findOperator(this.#at) ??
      this.#findVerb(this.#at) ??
      (isDoubtful ? undefined : this.#findBlank(this.#at, name))
    if (joint === undefined) {
      if (!isDoubtful) this.#noteSecretName(start)
    } else if (!this.#isPlain(this.#skip(joint, ' \t'), isDoubtful)) {
      this.#hideValue(joint, start)
    }
  }

  /** Hides `name:password` behind a flag such as `curl -u`, to the end of the line. */
  #hideUser(from: number): void {
    const start = this.#skip(from, quotes)
    let colon = Math.max(start, this.#searchedForUser)
    while (colon < this.#text.length && !this.#isOneOf(colon, ' \t\r\n:')) colon++
    this.#searchedForUser = colon
    if (this.#character(colon) === ':') this.#hide(start, this.#lineEnd(start))
  }

  /** Notes a secret name that is a value itself, so that the `value` beside it is hidden. */
  #noteSecretName(start: number): void {
    if (this.#at < this.#text.length && !this.#isOneOf(this.#at, '"\'`\\\r\n&,<>}/]')) return
    if (this.#character(start - 1) === '/' && this.#character(start - 2) === '<') return
    this.#hasSecretName = true
    this.#isSecretTag = this.#isInTag
    if (this.#valueStart !== -1) this.#hide(this.#valueStart, start)
    const head = this.#text.slice(this.#lineStart, this.#lineStart + formHead.length)
    if (head.toLowerCase() === formHead) this.#hide(this.#lineEnd(this.#at), this.#text.length)
  }

  #readValueOfPair(start: number, end: number): void {
    const joint = this.#tagName !== -1 ? end + 1 : this.#findOperator(end)
    if (joint === undefined) return
    if (this.#hasSecretName) this.#hideValue(joint, start)
    else if (this.#valueStart === -1) this.#valueStart = this.#skip(joint, ' \t')
  }

  /** Hides an element with its attributes and its content, to its end tag. */
  #hideElement(isDoubtful: boolean): void {
    if (isDoubtful && this.#isPlain(this.#at + 1, isDoubtful)) return
    const end = this.#text.indexOf(`</${this.#text.slice(this.#tagName, this.#at)}>`, this.#at)
    this.#hide(this.#at, end === -1 ? this.#text.length : end)
  }

  /** Finds an operator behind a name, and returns its end. */
  #findOperator(nameEnd: number): number | undefined {
    const closed = this.#skip(nameEnd, '\\"\'`])')
    const start = this.#skip(closed, closed > nameEnd ? ' \t\r\n' : ' \t')
    const end = this.#skip(start, ':=<>~!+?|-')
    const operator = this.#text.slice(start, end)
    if (operators.some((sign) => operator.includes(sign))) return operator.startsWith('|') ? start + 1 : end
    if (operator.startsWith('>') && closed > nameEnd) return end
    return operator === '-' && start > closed && this.#isOneOf(end, ' \t') ? end : undefined
  }

  /** Finds a verb behind a name, unless a description of the credential follows it. */
  #findVerb(nameEnd: number): number | undefined {
    const start = this.#skip(this.#skip(nameEnd, '\\"\'`])'), ' \t')
    if (start === nameEnd) return undefined
    const verb = /^[a-z]{2,6}(?=[ \t])/i.exec(this.#text.slice(start, start + 7))?.[0] ?? ''
    if (!verbs.has(verb.toLowerCase())) return undefined
    const joint = start + verb.length
    return this.#describes(joint) ? undefined : joint
  }

  /** Returns whether the next word only describes a credential, such as `expired`. */
  #describes(joint: number): boolean {
    const word = this.#wordAt(this.#skip(joint, ' \t'))
    return word === '' || description.test(word)
  }

  /** Returns the characters up to a blank, at most 99. */
  #wordAt(start: number): string {
    let end = start
    while (end < start + 99 && end < this.#text.length && !this.#isOneOf(end, ' \t\r\n')) end++
    return this.#text.slice(start, end)
  }

  /** Finds what joins a name to a value without an operator: `setToken("…")`, `["token", "…"]`, `--token …`. */
  #findBlank(nameEnd: number, name: string): number | undefined {
    const isContinued = this.#character(nameEnd) === '\\' && this.#isLineEnd(nameEnd + 1)
    if (isContinued && name.startsWith('-') && nameEnd + 1 < this.#text.length) return nameEnd
    const closed = this.#skip(nameEnd, '\\"\'`])')
    const next = this.#skip(closed, ' \t')
    const isListed = closed > nameEnd && this.#character(next) === ','
    if (isListed || this.#character(next) === '(') {
      const value = this.#skipParameter(this.#skip(next + 1, ' \t'))
      return this.#startsQuote(value) && !this.#isMemberName(value) ? value : undefined
    }
    if (next === closed) return undefined
    const isValue = this.#startsQuote(next) || (closed === nameEnd && this.#isValueBehindBlank(next, name))
    return isValue ? next : undefined
  }

  /** Skips the name of a parameter: `getenv("TOKEN", default="…")`. */
  #skipParameter(start: number): number {
    let end = start
    while (end < start + 32 && isWordCharacter(this.#text.charCodeAt(end))) end++
    const sign = this.#skip(end, ' \t')
    return end > start && this.#isOneOf(sign, '=:') ? this.#skip(sign + 1, ' \t') : start
  }

  /** Returns whether a text in quotes is the name of a member: a colon follows it. */
  #isMemberName(start: number): boolean {
    const open = this.#skip(start, '\\')
    const slashes = open - start
    const end = this.#findQuote(open + 1, this.#character(open) ?? '', slashes, open + 99)
    return end !== -1 && this.#character(this.#skip(end + slashes + 1, ' \t\r\n')) === ':'
  }

  /** Returns whether the text after a blank is a value: always after a flag; after other names, unless it is a word of a sentence. */
  #isValueBehindBlank(start: number, name: string): boolean {
    if (name.startsWith('-')) return true
    let end = start
    while (end < this.#text.length && !this.#isOneOf(end, ' \t\r\n')) end++
    if (/bearer$/i.test(name) && end - start >= 8) return true
    const word = this.#text.slice(start, Math.min(end, start + 99))
    if (!/[a-z\d]/i.test(word)) return false
    if (!/^\(?[a-z'-]*[.,;:!?)]*$/i.test(word) || /[a-z][A-Z]/.test(word)) return true
    return this.#isLineEnd(this.#skip(end, ' \t')) && /[a-z]$/i.test(word)
  }

  /** Returns whether a value means no credential; under a doubtful name, also whether it is a number. */
  #isPlain(start: number, isDoubtful: boolean): boolean {
    let end = start
    while (end < start + 32 && end < this.#text.length && !this.#isOneOf(end, ' \t\r\n,;&|"\'<>)]}')) end++
    const next = this.#skip(end, ' \t')
    if (!this.#isLineEnd(next) && !this.#isOneOf(next, ',;&|<)]}')) return false
    const word = this.#text.slice(start, end)
    return (
      nothing.has(word.toLowerCase()) ||
      (isDoubtful && isPlainValue(word) && (word !== '' || !this.#isLineEnd(next)))
    )
  }

  /** Hides the value behind a joint: in quotes, on the line, or on the lines below. */
  #hideValue(joint: number, nameStart: number): void {
    const start = this.#skip(joint, ' \t')
    let open = start
    // Texts of some languages have letters before their quote: `f"…"`.
    while (open < start + 2 && isWordCharacter(this.#text.charCodeAt(open))) open++
    if (this.#startsQuote(open)) this.#hideQuoted(start, open)
    else this.#hideLines(start, nameStart)
  }

  #hideLines(start: number, nameStart: number): void {
    const isBelow = this.#isLineEnd(this.#skip(this.#skip(start, '|>+-\\'), ' \t'))
    const line = this.#text.slice(start, this.#lineEnd(start))
    if (line.startsWith('<<') || longQuotes.some((quote) => line.split(quote).length % 2 === 0)) {
      // Its end is further down.
      this.#hide(start, this.#text.length)
      return
    }
    const first = isBelow ? this.#skip(this.#lineEnd(start), ' \t\r\n') : start
    this.#hide(first, this.#endOfLines(start, isBelow, isBelow || this.#startsLine(nameStart)))
  }

  /** Hides a value in quotes, and the rest of the line if something follows it. */
  #hideQuoted(start: number, open: number): void {
    const at = this.#skip(open, '\\')
    const quote = this.#character(at) ?? ''
    const length = this.#text.slice(at, at + 3) === quote.repeat(3) ? 3 : 1
    const content = at + length
    const end = this.#findQuote(content, quote.repeat(length), at - open)
    const next = end + content - open
    const from = open === start ? content : start
    if (end === -1) this.#hide(from, this.#text.length)
    else if (this.#isContinued(next)) this.#hide(from, this.#endOfLines(next, true, false))
    else if (!this.#endsValue(next)) this.#hide(from, this.#endOfLines(next, false, false))
    else if (from === start) this.#hide(from, next)
    else this.#hide(from, end, next)
  }

  /** Finds the quote that ends a text: one in it has more backslashes before it. Returns where they start, or -1. */
  #findQuote(start: number, quote: string, slashes: number, limit = this.#text.length): number {
    let run = 0
    for (let at = start; at < limit; at++) {
      const isQuote = this.#character(at) === quote[0] && this.#text.slice(at, at + quote.length) === quote
      if (isQuote && run % (2 * (slashes + 1)) === slashes) return at - slashes
      run = this.#character(at) === '\\' ? run + 1 : 0
    }
    return -1
  }

  /** Returns whether a backslash continues a line on the next one. */
  #isContinued(end: number): boolean {
    const next = this.#skip(end, ' \t')
    return this.#character(next) === '\\' && next + 1 < this.#text.length && this.#isLineEnd(next + 1)
  }

  #endsValue(end: number): boolean {
    const next = this.#skip(end, ' \t')
    if (this.#isLineEnd(next) || this.#isOneOf(next, ',;})]>/&<:#|\\')) return true
    return next > end && (isWordCharacter(this.#text.charCodeAt(next)) || this.#isOneOf(next, '@-'))
  }

  /**
   * Finds the end of a value without quotes: of its line, of its open brackets and, if requested, of the next
   * line or the lines with deeper indentation.
   */
  #endOfLines(start: number, takesNext: boolean, takesDeeper: boolean): number {
    const indent = this.#skip(this.#lineStart, ' \t') - this.#lineStart
    let end = this.#lineEnd(start)
    let depth = this.#countBrackets(start, end)
    let isNext = takesNext
    for (let lineEnd = end; lineEnd < this.#text.length; ) {
      const lineStart = this.#skip(lineEnd, '\r\n')
      const first = this.#skip(lineStart, ' \t')
      lineEnd = this.#lineEnd(lineStart)
      if (this.#isLineEnd(first)) continue
      const column = first - lineStart
      const isItem = takesNext && column === indent && this.#character(first) === '-'
      if (!isNext && !isItem && depth <= 0 && !(takesDeeper && column > indent)) break
      isNext = false
      depth += this.#countBrackets(first, lineEnd)
      end = lineEnd
    }
    return end
  }

  #countBrackets(start: number, end: number): number {
    let depth = 0
    for (let at = start; at < end; at++) {
      if (this.#isOneOf(at, '([{')) depth++
      else if (this.#isOneOf(at, ')]}')) depth--
    }
    return depth
  }

  /** Returns whether only blanks, quotes and the sign of a list precede a name in its line. */
  #startsLine(nameStart: number): boolean {
    let at = nameStart - 1
    while (at >= this.#lineStart && this.#isOneOf(at, ' \t-"\'')) at--
    return at < this.#lineStart
  }

  #startsQuote(start: number): boolean {
    return this.#isOneOf(this.#skip(start, '\\'), quotes)
  }

  #skip(start: number, characters: string): number {
    let at = start
    while (this.#isOneOf(at, characters)) at++
    return at
  }

  #isLineEnd(at: number): boolean {
    const character = this.#character(at)
    return (
      character === undefined || character === '\n' || (character === '\r' && this.#isOneOf(at + 1, '\n'))
    )
  }

  #lineEnd(from: number): number {
    let end = from
    while (!this.#isLineEnd(end)) end++
    return end
  }
}

/** Replaces the wide forms of letters and signs, `ａ：`, by those of ASCII. The length stays. */
function narrow(text: string): string {
  return text.replaceAll(/[\uff01-\uff5e]/g, (wide) => String.fromCharCode(wide.charCodeAt(0) - 0xfee0))
}

/** Returns whether a character is a blank of Unicode, such as one that does not break or has no width. */
function isOtherBlank(code: number): boolean {
  return code === 0xa0 || (code >= 0x2000 && code <= 0x200d) || code === 0x3000 || code === 0xfeff
}

/** Returns whether a character may be in a name: `session[password]`, `session%5Bpassword%5D`, `X-API-KEY`, `a.b`. */
function isNameCharacter(code: number): boolean {
  return isWordCharacter(code) || '-.%[]'.includes(String.fromCharCode(code))
}

function isWordCharacter(code: number): boolean {
  return (
    (code >= 97 && code <= 122) || (code >= 65 && code <= 90) || (code >= 48 && code <= 57) || code === 95
  )
}

/** Returns the signs and names with a meaning to the scanner: a test repeats them in any order. */
export function vocabulary(): string[] {
  const signs = ' \t\r\n/?@\\<>()[]{}-.,;&|'
  const words = ['bearer', 'mysql', '-p', 'identified', 'by']
  return [
    ...[...quotes, ...longQuotes, ...operators, ...signs],
    ...[...userFlags, ...verbs, ...nothing, ...words, formHead],
  ]
}
