/** Writes a Markdown table, its columns aligned: the first to the left, the others to the right. */
export function printTable(title, head, rows) {
  const lines = [head, ...rows].map((cells) => cells.map(String))
  const widths = head.map((_, column) => Math.max(...lines.map((cells) => cells[column].length), 3))
  const line = (cells) =>
    `| ${cells.map((cell, column) => (column === 0 ? cell.padEnd(widths[column]) : cell.padStart(widths[column]))).join(' | ')} |`
  const rule = widths.map((width, column) => (column === 0 ? '-'.repeat(width) : `${'-'.repeat(width - 1)}:`))
  console.log([`\n### ${title}\n`, line(lines[0]), line(rule), ...lines.slice(1).map(line)].join('\n'))
}

/** A ratio beside its aim, and whether it is met. */
export function aimed(value, aim, atLeast) {
  const met = atLeast ? value >= aim : value <= aim
  return `${atLeast ? '>=' : '<='} ${aim} ${met ? 'met' : 'MISSED'}`
}

/** A ratio as text. */
export function times(ratio) {
  return `${ratio.toFixed(2)}x`
}
