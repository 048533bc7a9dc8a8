import { rowAbout, type Sentence, type Statement, sentenceWith } from '../rules/document.ts'
import { type FailedCheck, isAboutTimestamps, isWord, type Reduced } from './failed-check.ts'
import { rowOf } from './invariants/record-invariants.ts'
import { factsOf, type OperationFacts } from './operation-facts.ts'

/** The sentence about the places of the API key. */
const keyPlaces = sentenceWith('Authentication', 'An API key, `<API_KEY>`, sent as the query parameter')

/** The row of the attribute, if the rule does not name the attribute itself. */
export function sentenceOf(
  check: FailedCheck,
  facts: OperationFacts | undefined,
  { attribute, received, expected }: Reduced,
): Sentence {
  const { rule } = check
  const { sentence } = rule
  if (isWord(check.expected?.value, /the key in the/)) return keyPlaces
  // A wrongly listed record or a wrong timestamp form violates the rule itself, not the row of an attribute.
  const isOfRule =
    attribute === undefined || attribute === 'id' || attribute === 'uuid' || isAboutTimestamps(rule)
  const isOfEffect = /\/(filter|refused-unchanged|unchanged-neighbours)$/.test(rule.id)
  if (isOfRule || isOfEffect || sentence.text.includes(`\`${attribute}\``)) return sentence
  if (attribute.startsWith('error.'))
    return quoteOf(rowAbout('Errors', attribute.slice('error.'.length))) ?? sentence
  // A row about requests contains nothing that a reply lacks.
  const written = rule.id.endsWith('/attributes')
    ? undefined
    : factsOf(rule.operation)?.writes.find(({ name }) => name === attribute)?.stated
  const row = written ?? (facts && rowOf(facts.operation, attribute))
  // A row without a note violates nothing but its type; the operation may have a row about the same name.
  const isOfType = row !== undefined && /^\| `\w+` \| [\w ]+ \|(?: \|)?$/.test(row.text)
  const isTypeRight = expected !== undefined && kindOf(received) === kindOf(expected.value)
  const violated = isOfType && isTypeRight ? facts && rowAbout(facts.stated.section, attribute) : row
  return quoteOf(violated) ?? sentence
}

function kindOf(value: unknown): string {
  if (value === null) return 'null'
  return Array.isArray(value) ? 'array' : typeof value
}

function quoteOf(row: Statement | undefined): Sentence | undefined {
  return row === undefined ? undefined : { line: row.line, text: row.text.slice(2, -2) }
}
