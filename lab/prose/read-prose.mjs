import { readFileSync } from 'node:fs'
import { parseSync, Visitor } from 'oxc-parser'
import { readNames } from './read-names.mjs'

const specification = readFileSync(
  new URL('../../docs/spec/pipeline-orchestration-api.md', import.meta.url),
  'utf8',
)

/**
 * A paragraph, heading, list item or table cell of a page, a comment, a text in code, or the words of a name.
 * @typedef {{ kind: 'page' | 'comment' | 'text' | 'name', line: number, text: string }} Block
 */

/** Returns the blocks of prose in a file, without code, and the names of the file and of what it declares. */
export function readProse(path, text) {
  const fileName = { kind: 'name', line: 1, text: wordsOf(path) }
  if (path.endsWith('.md')) return [fileName, ...readPage(text)]
  return [fileName, ...(path.endsWith('.css') ? readStyles(text) : readCode(path, text))]
}

/** Splits a name or a path into words. */
const wordsOf = (name) =>
  name
    .replaceAll(/(?<=[a-z0-9])(?=[A-Z])|(?<=[A-Z])(?=[A-Z][a-z])|[^A-Za-z0-9]+/g, ' ')
    .trim()
    .toLowerCase()

/** Replaces everything but line breaks, so that line numbers stay correct. */
const blank = (text) => text.replaceAll(/[^\n]/g, '')

function readPage(text) {
  const prose = text
    .replace(/^---\n[\s\S]*?\n---\n/, blank)
    .replaceAll(/^( *)(```+|~~~+)[\s\S]*?^\1\2 *$/gm, blank)
    .replaceAll(/<!-- ([\w-]+): written by [\s\S]*?<!-- end of \1 -->/g, blank)
    .replaceAll(/<!--[\s\S]*?-->/g, blank)
  const blocks = []
  let startsBlock = true
  for (const [index, line] of prose.split('\n').entries()) {
    const isTableRow = /^\s*\|/.test(line)
    const startsItem = /^\s*([-*+>#]|\d+\.)/.test(line)
    const parts = isTableRow ? line.split(/(?<!\\)\|/) : [line.replace(/^\s*([-*+>]|#+|\d+\.)\s+/, '')]
    for (const part of parts.map(withoutMarkup)) {
      if (!/\p{L}/u.test(part)) startsBlock = true
      else if (startsBlock || isTableRow || startsItem)
        blocks.push({ kind: 'page', line: index + 1, text: part })
      else blocks.at(-1).text += ` ${part}`
      startsBlock ||= isTableRow
      if (/\p{L}/u.test(part)) startsBlock = isTableRow || /^\s*#/.test(line)
    }
  }
  return blocks
}

/** Inline code becomes one word; a link becomes its text. */
const withoutMarkup = (text) =>
  text
    .replaceAll(/`+[^`]*`+/g, 'CODE')
    .replaceAll(/!?\[([^\]]*)\](\([^)]*\)|\[[^\]]*\])/g, '$1')
    .replaceAll(/https?:\S+/g, 'LINK')
    .replaceAll(/<\/?[a-z][^>]*>/gi, ' ')
    .replaceAll(/[*_]{1,3}(?=\S)|(?<=\S)[*_]{1,3}/g, '')
    .trim()

const readStyles = (text) =>
  [...text.matchAll(/\/\*([\s\S]*?)\*\//g)].map(({ index, 1: comment }) => ({
    kind: 'comment',
    line: text.slice(0, index).split('\n').length,
    text: withoutMarkup(comment),
  }))

function readCode(path, text) {
  const lineStarts = [...text.matchAll(/^/gm)].map(({ index }) => index)
  const lineOf = (offset) => lineStarts.findLastIndex((start) => start <= offset) + 1
  const parsed = parseSync(path, text)
  const blocks = readNames(parsed.program).map(({ name, start }) => ({
    kind: 'name',
    line: lineOf(start),
    text: wordsOf(name),
  }))
  let end = -1
  for (const { type, value, start, end: commentEnd } of parsed.comments) {
    if (/^[!/]|^\s*(biome-ignore|@ts-|v8 |@vite|#__|@__|<ref)/.test(value)) continue
    const isNextLine = type === 'Line' && /^\n?[ \t]*$/.test(text.slice(end, start)) && end >= 0
    const prose = withoutMarkup(
      value
        .replaceAll(/^\s*\*+ ?/gm, '')
        .replaceAll(/```[\s\S]*?```/g, 'CODE')
        .replaceAll(/\{@link ([^}]*)\}/g, 'CODE')
        .replaceAll(/[─═]{2,}/g, ' '),
    )
    if (isNextLine && blocks.at(-1)?.kind === 'comment') blocks.at(-1).text += ` ${prose}`
    else if (prose !== '') blocks.push({ kind: 'comment', line: lineOf(start), text: prose })
    end = type === 'Line' ? commentEnd : -1
  }
  if (!/^(src|panel|contract-tests)\//.test(path)) return blocks
  const add = (start, value) => {
    // Rules quote the specification word by word.
    if (specification.includes(value)) return
    if (/\p{L}+ \p{L}+ ?\S*\p{L}/u.test(value) && !/[{};]\s*\n|^\s*</.test(value))
      blocks.push({ kind: 'text', line: lineOf(start), text: withoutMarkup(value) })
  }
  new Visitor({
    Literal: ({ start, value }) => typeof value === 'string' && add(start, value),
    TemplateLiteral: ({ start, quasis }) =>
      add(start, quasis.map(({ value }) => value.cooked ?? '').join('CODE')),
    JSXText: ({ start, value }) => add(start, value.replaceAll(/\s+/g, ' ')),
  }).visit(parsed.program)
  return blocks
}
