import { parseSync, Visitor } from 'vite'

/**
 * The places in TypeScript where the compiler is told what it cannot see, by `as` or `!`, without a word of why: neither
 * in the statement that it stands in, nor in the line before that. Each as its line.
 */
export function unreasoned(file: string, text: string): readonly string[] {
  const { program, comments, errors } = parseSync(file, text)
  if (errors.length > 0) throw new Error(`${file}: ${errors[0]?.message}`)
  const statements: { start: number; end: number }[] = []
  const told: { start: number; end: number }[] = []
  new Visitor({
    VariableDeclaration: (node) => statements.push(node),
    ExpressionStatement: (node) => statements.push(node),
    ReturnStatement: (node) => statements.push(node),
    ThrowStatement: (node) => statements.push(node),
    IfStatement: ({ start, test }) => statements.push({ start, end: test.end }),
    Property: (node) => statements.push(node),
    PropertyDefinition: (node) => statements.push(node),
    TSNonNullExpression: (node) => told.push(node),
    TSAsExpression: (node) => {
      // `as const` tells nothing that is not there.
      if (!/\bas const$/.test(text.slice(node.start, node.end))) told.push(node)
    },
  }).visit(program)
  if (told.length === 0) return []
  const lineAt = (offset: number) => text.slice(0, offset).split('\n').length
  const commented = comments.map(({ start, end }) => [lineAt(start), lineAt(end)] as const)
  return told.flatMap(({ start, end }) => {
    const inner = statements
      .filter((statement) => statement.start <= start && end <= statement.end)
      .toSorted((one, other) => one.end - one.start - (other.end - other.start))[0]
    const [first, last] = [lineAt(inner?.start ?? start) - 1, lineAt(end)]
    const hasReason = commented.some(([from, to]) => to >= first && from <= last)
    return hasReason ? [] : [`${file}:${last}: ${text.split('\n')[last - 1]?.trim()}`]
  })
}
