import { existsSync, readFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { documentPath, type Section, sections } from './sections.ts'

/** A line of the specification with its number. */
export interface Statement {
  readonly section: Section
  /** Counted from 1, as editors do. */
  readonly line: number
  readonly text: string
}

/** A quoted sentence of the specification. */
export interface Sentence {
  /** Counted from 1. */
  readonly line: number
  /** A part of that line, word for word. */
  readonly text: string
}

let lines: readonly string[] | undefined

/** The lines of the specification. Its file is beside the sources, and beside the built package. */
export function documentLines(): readonly string[] {
  lines ??= readFileSync(join(packageRoot(import.meta.dirname), documentPath), 'utf8').split('\n')
  return lines
}

function packageRoot(folder: string): string {
  if (existsSync(join(folder, documentPath))) return folder
  if (folder === dirname(folder)) {
    throw new Error(
      `[understudy] Expected ${documentPath} in the package; found none; install the package again.`,
    )
  }
  return packageRoot(dirname(folder))
}

/** The lines of a section of the specification, with its heading. */
export function statementsIn(section: Section): readonly Statement[] {
  const start = sections[section]
  const end = Object.values(sections).find((line) => line > start) ?? Number.POSITIVE_INFINITY
  return documentLines()
    .slice(start - 1, end - 1)
    .map((text, index): Statement => ({ section, line: start + index, text }))
    .filter(({ text }) => text !== '')
}

/** The row about a name, in the tables of a section. */
export function rowAbout(section: Section, name: string): Statement | undefined {
  return statementsIn(section).find(({ text }) => text.startsWith(`| \`${name}\` |`))
}

/** Returns the first statement of a section that contains a text. */
export function statementWith(section: Section, part: string): Statement | undefined {
  return statementsIn(section).find(({ text }) => text.includes(part))
}

/** The heading of a section. */
export function headingOf(section: Section): Statement {
  return { section, line: sections[section], text: section }
}

/**
 * Returns the sentence of a section that contains a quote.
 *
 * @throws where the section does not hold it.
 */
export function sentenceWith(section: Section, quote: string): Sentence {
  const found = statementWith(section, quote)
  if (found === undefined)
    throw new Error(`[understudy] Expected a quote from the section "${section}"; found: ${quote}`)
  return { line: found.line, text: quote }
}
