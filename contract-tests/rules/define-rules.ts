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
export interface Rule {
  /** Such as `backfill-create/timestamps`. */
  readonly id: string
  /** The heading of the document that says so. */
  readonly section: string
  /** What must hold, in our words. */
  readonly claim: string
  /** `stated` in prose or a table, or seen in a `sample` only. */
  readonly basis: 'stated' | 'sample'
  /** The operation whose replies are looked at. */
  readonly operation: string
  readonly effects: Effect
  readonly needs: readonly Need[]
}

interface Group {
  readonly section: string
  readonly prefix: string
  readonly operation: string
  readonly effects?: Effect
  readonly basis?: Rule['basis']
  readonly needs?: readonly Need[]
}

/** A rule within a group: its name, its claim, and what differs from the group. */
type Line = readonly [name: string, claim: string, differs?: Partial<Omit<Rule, 'id' | 'claim'>>]

/**
 * Defines the rules of one section.
 *
 * @example
 * defineRules({ section: 'Read logs', prefix: 'logs', operation: 'listLogs' }, [['envelope', 'The list is under logs.']])
 */
export function defineRules(group: Group, lines: readonly Line[]): Rule[] {
  const { section, prefix, operation, effects = 'reads', basis = 'stated', needs = [] } = group
  return lines.map(([name, claim, differs]) => ({
    id: `${prefix}/${name}`,
    section,
    claim,
    basis,
    operation,
    effects,
    needs,
    ...differs,
  }))
}
