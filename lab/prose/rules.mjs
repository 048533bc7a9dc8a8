import { readFileSync } from 'node:fs'

const longestSentence = 25
const findTerms = createFinder('terms.json')
const findInName = createFinder('names.json')
const questionWord = /^(What|How|Where|Who|Whether)\b/
const passive =
  /\b(is|are|was|were|be|been|being)\s+(\w+ly\s+)?(\w{3,}ed|given|taken|made|done|seen|sent|found|written|read|known|shown|built|begun|held|left|lost|put|run|set|drawn|thrown|chosen|broken)\b/gi
const segmenter = new Intl.Segmenter('en', { granularity: 'sentence' })

const countWords = (text) => text.match(/[\p{L}\p{N}][\p{L}\p{N}'’_/.-]*/gu)?.length ?? 0

/** Reads a list of terms to avoid; returns a function that finds them in a text. */
function createFinder(file) {
  const terms = JSON.parse(readFileSync(new URL(file, import.meta.url), 'utf8'))
  const patternOf = (avoid) => String.raw`\b${avoid}\b`
  const anyTerm = new RegExp(terms.map(({ avoid }) => patternOf(avoid)).join('|'), 'i')
  const rules = terms.map((term) => ({ ...term, pattern: new RegExp(patternOf(term.avoid), 'gi') }))
  return (path, text) => {
    if (!anyTerm.test(text)) return []
    return rules
      .filter(({ except }) => except === undefined || !`${path} ${text}`.toLowerCase().includes(except))
      .flatMap(({ pattern, use }) => [...text.matchAll(pattern)].map(([found]) => ({ found, use })))
  }
}

/**
 * Checks a block of prose. Coined terms and comments that begin with a question word are errors everywhere,
 * long sentences are errors on pages only, and the passive voice is a warning.
 */
export function checkBlock(path, { kind, line, text }) {
  const findings = []
  const add = (level, message) => findings.push({ path, line, level, message })
  if (kind === 'name') {
    for (const { found, use } of findInName(path, text))
      add('error', `"${found}" in the name "${text}": use "${use}".`)
    return findings
  }
  for (const { found, use } of findTerms(path, text)) add('error', `"${found}": use "${use}".`)
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
