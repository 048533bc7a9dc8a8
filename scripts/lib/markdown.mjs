// Writes Markdown.

/** A table of Markdown. */
export function table(head, rows) {
  const cell = (value) => {
    const text = String(value ?? '')
    // Outside of code, `undefined` means that something was not found.
    if (/\bundefined\b|\[object /.test(text.replaceAll(/`[^`]*`/g, '')))
      throw new Error(`A table says: ${text}`)
    return text.replaceAll('|', '\\|').replaceAll('\n', ' ')
  }
  const row = (cells) => `| ${cells.map(cell).join(' | ')} |`
  return [row(head), row(head.map(() => '---')), ...rows.map(row)].join('\n')
}

export const code = (value) => `\`${value}\``

export const list = (values) => values.map(code).join(', ')

/** Replaces the parts of a page that a command writes, each between its named marks. */
export function withParts(text, command, parts) {
  return Object.entries(parts).reduce((page, [name, part]) => {
    const [begin, end] = [`<!-- ${name}: written by ${command} -->`, `<!-- end of ${name} -->`]
    const [from, to] = [page.indexOf(begin), page.indexOf(end)]
    if (from === -1 || to < from) throw new Error(`A page lacks the mark ${begin} or ${end}.`)
    return `${page.slice(0, from)}${begin}\n\n${part}\n\n${page.slice(to)}`
  }, text)
}
