// Writes Markdown.

/** A table of Markdown. */
export function table(head, rows) {
  const cell = (value) => {
    const text = String(value ?? '')
    // Outside of code, it is something that was not found.
    if (/\bundefined\b|\[object /.test(text.replaceAll(/`[^`]*`/g, '')))
      throw new Error(`A table says: ${text}`)
    return text.replaceAll('|', '\\|').replaceAll('\n', ' ')
  }
  const row = (cells) => `| ${cells.map(cell).join(' | ')} |`
  return [row(head), row(head.map(() => '---')), ...rows.map(row)].join('\n')
}

export const code = (value) => `\`${value}\``

export const list = (values) => values.map(code).join(', ')
