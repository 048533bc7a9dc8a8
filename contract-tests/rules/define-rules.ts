import { type Sentence, sentenceWith } from './document.ts'
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
 * Where a rule comes from: a sentence of the specification (`specified`), an example in it (`example`), or our reading of
 * other sentences (`inferred`). Only `specified` rules affect the exit code by default.
 */
export type Source = 'specified' | 'example' | 'inferred'

/** A sentence of the specification that a client can check. */
export interface RuleOf<Id extends string> {
  /** Such as `backfill-create/timestamps`. */
  readonly id: Id
  /** The heading under which the sentence is. */
  readonly section: Section
  /** The requirement, in our words; names of attributes, parameters and values are in backticks. */
  readonly claim: string
  /** The sentence that it rests on. */
  readonly sentence: Sentence
  readonly source: Source
  /** The operation whose replies are checked. */
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

/** A rule of a group: its name, its claim, the quoted sentence, and the properties that differ from the group. */
type RuleLine<Name extends string> = readonly [
  name: Name,
  claim: string,
  quote: string,
  differs?: Partial<Omit<RuleOf<string>, 'id' | 'claim' | 'sentence'>>,
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
  return lines.map(([name, claim, quote, differs]) => ({
    id: `${prefix}/${name}` as const,
    section,
    sentence: sentenceWith(differs?.section ?? section, quote),
    claim,
    source,
    operation,
    effects,
    needs,
    ...differs,
  }))
}
