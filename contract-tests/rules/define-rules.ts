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
 * What a rule rests on: it is `stated` in prose or a table, a `sample` shows it, or it follows from a `convention` of the
 * document that it does not state for this operation.
 */
export type Basis = 'stated' | 'sample' | 'convention'

/** One sentence of the document that a client can observe. */
export interface RuleOf<Id extends string> {
  /** Such as `backfill-create/timestamps`. */
  readonly id: Id
  /** The heading of the document that says so. */
  readonly section: Section
  /** What must hold, in our words. */
  readonly claim: string
  /** The line of the document that it rests on. */
  readonly line: number
  readonly basis: Basis
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
  readonly basis?: Basis
  readonly line?: number
  readonly needs?: readonly Need[]
}

/** A rule within a group: its name, its claim, and what differs from the group. */
type RuleLine<Name extends string> = readonly [
  name: Name,
  claim: string,
  differs?: Partial<Omit<RuleOf<string>, 'id' | 'claim'>>,
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
  const { section, prefix, operation, effects = 'reads', basis = 'stated', needs = [] } = group
  return lines.map(([name, claim, differs]) => ({
    id: `${prefix}/${name}` as const,
    section,
    // Where no table says the line, it is that of the heading.
    line: group.line ?? lineOf(`${prefix}/${name}`) ?? sections[differs?.section ?? section],
    claim,
    basis,
    operation,
    effects,
    needs,
    ...differs,
  }))
}
