/** The width of a terminal line. */
const columns = 80

/** Breaks a text into lines between words; breaks a word that is longer than a line, too, unless `wholeWords` is true. */
export function wrap(
  text: string,
  indent: string,
  mostLines = Number.POSITIVE_INFINITY,
  wholeWords = false,
): string[] {
  const width = columns - indent.length
  if (mostLines === 1) return [indent + (text.length > width ? `${text.slice(0, width - 1)}…` : text)]
  const lines: string[] = []
  let line = ''
  const words = text.split(' ')
  for (const word of wholeWords ? words : words.flatMap((each) => pieces(each, width))) {
    if (line !== '' && line.length + 1 + word.length > width) {
      lines.push(line)
      line = word
    } else line = line === '' ? word : `${line} ${word}`
  }
  if (line !== '') lines.push(line)
  if (lines.length <= mostLines) return lines.map((each) => indent + each)
  const shown = lines.slice(0, mostLines)
  const last = (shown.pop() ?? '').slice(0, width - 1)
  return [...shown, `${last}…`].map((each) => indent + each)
}

/** Shortens a text in its middle: the ends of an address name its resource and its parameters. */
export function withoutMiddle(text: string, width: number): string {
  if (text.length <= width) return text
  const start = Math.floor(width / 3)
  return `${text.slice(0, start)}…${text.slice(start + 1 - width)}`
}

function pieces(word: string, width: number): string[] {
  const count = Math.max(1, Math.ceil(word.length / width))
  return Array.from({ length: count }, (_, index) => word.slice(index * width, (index + 1) * width))
}

/** Breaks a shell command into lines that a shell joins again; breaks a long quoted argument inside its quotes. */
export function wrapCommand(command: string, indent: string): string[] {
  const lines: string[] = []
  let line = indent
  for (const word of command.match(/(?:-\w )?(?:'[^']*'|"[^"]*"|\\.|[^\s'"\\])+/g) ?? []) {
    const space = line.trim() === '' ? '' : ' '
    if (line.length + space.length + word.length + 2 <= columns) line += space + word
    else if (indent.length + word.length + 4 <= columns) {
      lines.push(`${line} \\`)
      line = `${indent}  ${word}`
    } else {
      if (line.trim() !== '') lines.push(`${line} \\`)
      const parts = breakWord(word, columns - 2)
      lines.push(...parts.slice(0, -1))
      line = parts.at(-1) ?? ''
    }
  }
  return [...lines, line]
}

/** Breaks an argument of a shell; its parts begin at the first column, since blanks would separate them. */
function breakWord(word: string, width: number): string[] {
  const lines: string[] = []
  let line = ''
  let isQuoted = false
  for (const part of word.match(/\\.|"[^"]*"|[\s\S]/g) ?? []) {
    if (part === "'") isQuoted = !isQuoted
    line += part
    if (line.length >= width - 1 && part !== "'") {
      lines.push(isQuoted ? `${line}'\\` : `${line}\\`)
      line = isQuoted ? "'" : ''
    }
  }
  // Nothing may be left after the last break but its closing quote.
  if (line === "''") return [...lines.slice(0, -1), (lines.at(-1) ?? '').slice(0, -1)]
  return [...lines, line]
}
