import type { OperationId } from './operation-id.ts'
import type { Section } from './sections.ts'

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

/** One sentence of the document that a client can observe. */
export interface RuleOf<Id extends string> {
  /** Such as `backfill-create/timestamps`. */
  readonly id: Id
  /** The heading of the document that says so. */
  readonly section: Section
  /** What must hold, in our words. */
  readonly claim: string
  /** `stated` in prose or a table, or seen in a `sample` only. */
  readonly basis: 'stated' | 'sample'
  /** The operation whose replies are looked at. */
  readonly operation: OperationId
  readonly effects: Effect
  readonly needs: readonly Need[]
}

interface Group<Prefix extends string> {
  readonly section: Section
  readonly prefix: Prefix
  readonly operation: OperationId
  readonly effects?: Effect
  readonly basis?: 'stated' | 'sample'
  readonly needs?: readonly Need[]
}

/** A rule within a group: its name, its claim, and what differs from the group. */
type Line<Name extends string> = readonly [
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
  group: Group<Prefix>,
  lines: readonly Line<Name>[],
): RuleOf<`${Prefix}/${Name}`>[] {
  const { section, prefix, operation, effects = 'reads', basis = 'stated', needs = [] } = group
  return lines.map(([name, claim, differs]) => ({
    id: `${prefix}/${name}` as const,
    section,
    claim,
    basis,
    operation,
    effects,
    needs,
    ...differs,
  }))
}
