import { rowAbout, type Sentence, sentenceWith } from './document.ts'
import type { OperationId } from './operation-id.ts'
import type { Section } from './sections.ts'

/** The effect on the target of checking a rule. */
export type Effect = 'reads' | 'writes' | 'deletes' | 'destructive'

/** A precondition that the documented API cannot create. */
export type Need =
  | 'schedule'
  | 'trigger'
  | 'logs'
  | 'login'
  | 'sign-in'
  | 'expired-token'
  | 'other-user'
  | 'api-key'

/**
 * The source of a rule: a sentence of the specification (`specified`), an example in it (`example`), or our reading of
 * other sentences (`inferred`). Only `specified` rules affect the exit code by default.
 */
export type Source = 'specified' | 'example' | 'inferred'

/** A sentence of the specification that a client can check. */
export interface RuleOf<Id extends string> {
  /** Such as `create-backfill/timestamps`. */
  readonly id: Id
  /** The heading under which the sentence is. */
  readonly section: Section
  /** The requirement, in our words; names of attributes, parameters and values are in backticks. */
  readonly claim: string
  /** The sentence that the rule is based on. */
  readonly sentence: Sentence
  readonly source: Source
  /** The operation of the replies. */
  readonly operation: OperationId
  readonly effects: Effect
  readonly needs: readonly Need[]
}

/** The properties that the rules of one prefix share. */
interface RuleGroup<Prefix extends string> {
  readonly section: Section
  readonly prefix: Prefix
  readonly operation: OperationId
  readonly effects?: Effect
  readonly source?: Source
  readonly needs?: readonly Need[]
}

/** The properties of a rule that differ from its group. */
type Differs = Partial<Omit<RuleOf<string>, 'id' | 'claim' | 'sentence'>>

/**
 * A rule of a group: its name, its claim, and the quoted sentence. Without a quote it rests on the row of the first attribute
 * or parameter in the claim that has one.
 */
type RuleLine<Name extends string> = readonly [
  name: Name,
  claim: string,
  quote?: string | Differs | undefined,
  differs?: Differs,
]

/**
 * Defines the rules of one section.
 *
 * @throws where a quote is not in the section.
 * @example
 * defineRules({ section: 'Read logs', prefix: 'logs', operation: 'listLogs' }, [
 *   ['envelope', 'The list is under `logs`.', 'Response: `{ logs: [<Logs entry>], metadata: {} }`.'],
 * ])
 */
export function defineRules<const Prefix extends string, const Name extends string>(
  group: RuleGroup<Prefix>,
  lines: readonly RuleLine<Name>[],
): RuleOf<`${Prefix}/${Name}`>[] {
  const { section, prefix, operation, effects = 'reads', source = 'specified', needs = [] } = group
  return lines.map(([name, claim, third, fourth]) => {
    const [quote, differs] = typeof third === 'string' ? [third, fourth] : [undefined, third]
    const own = differs?.section ?? section
    return {
      id: `${prefix}/${name}` as const,
      section,
      sentence: quote === undefined ? rowOf(own, claim) : sentenceWith(own, quote),
      claim,
      source,
      operation,
      effects,
      needs,
      ...differs,
    }
  })
}

/** The row of the first name in a claim that the tables of a section list. */
function rowOf(section: Section, claim: string): Sentence {
  for (const [, name = ''] of claim.matchAll(/`([^`]+)`/g)) {
    const row = rowAbout(section, name)
    if (row !== undefined) return { line: row.line, text: row.text.slice(2, -2) }
  }
  throw new Error(`[understudy] Expected a row of the section "${section}" about a name in: ${claim}`)
}
