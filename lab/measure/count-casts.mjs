import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { parseSync, Visitor } from 'oxc-parser'
import { trackedFiles } from './files.mjs'

/** Lists the casts other than `as const`, and the non-null assertions, below the folders. */
export function findCasts(root, folders = ['src', 'panel']) {
  return folders
    .flatMap((folder) => trackedFiles(root, folder))
    .filter((path) => /\.tsx?$/.test(path))
    .flatMap((path) => castsOf(path, readFileSync(join(root, path), 'utf8')))
}

function castsOf(path, text) {
  const { program, errors } = parseSync(path, text)
  if (errors.length > 0) throw new Error(`${path}: ${errors[0].message}`)
  const found = []
  const add = (kind, offset) => found.push({ kind, path, ...placeOf(text, offset) })
  const addCast = ({ expression, typeAnnotation }) => {
    // The end of the operand, so that each cast of a chain has its own position.
    if (!isConst(typeAnnotation)) add('cast', expression.end)
  }
  new Visitor({
    TSAsExpression: addCast,
    TSTypeAssertion: addCast,
    TSNonNullExpression: ({ end }) => add('non-null', end - 1),
  }).visit(program)
  return found
}

function isConst({ type, typeName }) {
  return type === 'TSTypeReference' && typeName.type === 'Identifier' && typeName.name === 'const'
}

function placeOf(text, offset) {
  const before = text.slice(0, offset)
  const start = before.lastIndexOf('\n') + 1
  const end = text.indexOf('\n', offset)
  return { line: before.split('\n').length, source: text.slice(start, end === -1 ? undefined : end).trim() }
}
