import { type Sentence, sentenceAt } from './document.ts'
import { lineOf } from './lines.ts'
import type { OperationId } from './operation-id.ts'
import { type Section, sections } from './sections.ts'

/** What judging a rule does to the target. */
export type Effect = 'reads' | 'writes' | 'deletes' | 'destructive'

/** What a rule needs that the documented API cannot create. */
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

/** One sentence of the document that a client can observe. */
export interface RuleOf<Id extends string> {
  /** Such as `backfill-create/timestamps`. */
  readonly id: Id
  /** The heading of the document that says so. */
  readonly section: Section
  /** What must hold, in our words. */
  readonly claim: string
  /** The sentence of the specification that it rests on. */
  readonly sentence: Sentence
  readonly source: Source
  /** The operation whose replies are looked at. */
  readonly operation: OperationId
  readonly effects: Effect
  readonly needs: readonly Need[]
}

/** What rules of one prefix have in common. */
interface RuleGroup<Prefix extends string> {
  readonly section: Section
  readonly prefix: Prefix
  readonly operation: OperationId
  readonly effects?: Effect
  readonly source?: Source
  readonly line?: number
  readonly needs?: readonly Need[]
}

/** A rule within a group: its name, its claim, and what differs from the group. */
type RuleLine<Name extends string> = readonly [
  name: Name,
  claim: string,
  differs?: Partial<Omit<RuleOf<string>, 'id' | 'claim' | 'sentence'>>,
]

/**
 * Defines the rules of one section.
 *
 * @example
 * defineRules({ section: 'Read logs', prefix: 'logs', operation: 'listLogs' }, [['envelope', 'The list is under logs.']])
 */
export function defineRules<const Prefix extends string, const Name extends string>(
  group: RuleGroup<Prefix>,
  lines: readonly RuleLine<Name>[],
): RuleOf<`${Prefix}/${Name}`>[] {
  const { section, prefix, operation, effects = 'reads', source = 'specified', needs = [] } = group
  return lines.map(([name, claim, differs]) => ({
    id: `${prefix}/${name}` as const,
    section,
    // Where no table says the line, it is that of the heading.
    sentence: sentenceAt(group.line ?? lineOf(`${prefix}/${name}`) ?? sections[differs?.section ?? section]),
    claim,
    source,
    operation,
    effects,
    needs,
    ...differs,
  }))
}
