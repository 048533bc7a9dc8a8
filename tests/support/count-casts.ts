import { parseSync, Visitor } from 'vite'

/** Counts the casts (`as X`, but not `as const`) and the non-null assertions (`x!`) in a TypeScript file. */
export function countCasts(file: string, text: string): { casts: number; nonNull: number } {
  const { program, errors } = parseSync(file, text)
  if (errors.length > 0) throw new Error(`${file}: ${errors[0]?.message}`)
  let casts = 0
  let nonNull = 0
  new Visitor({
    TSAsExpression({ start, end }) {
      if (!/\bas const$/.test(text.slice(start, end))) casts++
    },
    TSTypeAssertion() {
      casts++
    },
    TSNonNullExpression() {
      nonNull++
    },
  }).visit(program)
  return { casts, nonNull }
}
