import { readFileSync } from 'node:fs'

const longestSentence = 25
const terms = JSON.parse(readFileSync(new URL('terms.json', import.meta.url), 'utf8'))
const anyTerm = new RegExp(terms.map(({ avoid }) => String.raw`\b${avoid}\b`).join('|'), 'gi')
const rules = terms.map((term) => ({ ...term, pattern: new RegExp(String.raw`\b${term.avoid}\b`, 'gi') }))
const questionWord = /^(What|How|Where|Who|Whether)\b/
const passive =
  /\b(is|are|was|were|be|been|being)\s+(\w+ly\s+)?(\w{3,}ed|given|taken|made|done|seen|sent|found|written|read|known|shown|built|begun|held|left|lost|put|run|set|drawn|thrown|chosen|broken)\b/gi
const segmenter = new Intl.Segmenter('en', { granularity: 'sentence' })

const countWords = (text) => text.match(/[\p{L}\p{N}][\p{L}\p{N}'’_/.-]*/gu)?.length ?? 0

/**
 * Checks a block of prose. Coined terms and comments that begin with a question word are errors everywhere,
 * long sentences are errors on pages only, and the passive voice is a warning.
 */
export function checkBlock(path, { kind, line, text }) {
  const findings = []
  const add = (level, message) => findings.push({ path, line, level, message })
  if (anyTerm.test(text)) {
    for (const { pattern, use, except } of rules) {
      if (except !== undefined && `${path} ${text}`.toLowerCase().includes(except)) continue
      for (const [found] of text.matchAll(pattern)) add('error', `"${found}": use "${use}".`)
    }
  }
  anyTerm.lastIndex = 0
  if (kind === 'comment' && questionWord.test(text))
    add('error', `A comment begins with "${text.match(/\w+/)[0]}": begin with a verb or a noun.`)
  for (const { segment } of text.length > 100 ? segmenter.segment(text) : []) {
    const words = countWords(segment)
    if (words > longestSentence)
      add(kind === 'page' ? 'error' : 'warning', `${words} words: "${segment.slice(0, 60).trim()}…"`)
  }
  for (const [found] of text.matchAll(passive)) add('warning', `Passive voice: "${found}".`)
  return findings
}

const types = 'build|chore|ci|docs|feat|fix|perf|refactor|revert|style|test'
const conventional = new RegExp(String.raw`^(${types})(\([\w/-]+\))?!?: [^A-Z\s].*[^.\s]$`)

/** Checks the subject of a commit: Conventional Commits, at most 72 characters. */
export function checkSubject(subject) {
  if (subject.length > 72) return `${subject.length} characters, at most 72: ${subject}`
  if (!conventional.test(subject)) return `expected "type(scope): what it does": ${subject}`
}
