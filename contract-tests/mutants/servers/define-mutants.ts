import type { RuleId } from '../../rules/index.ts'
import type { FaultyServer } from '../define-mutant.ts'

/** The rule meant to detect a mutant, and its changes: of replies, if they are a function. */
export type MutantRow = readonly [
  breaks: RuleId,
  change: NonNullable<FaultyServer['reply']> | Pick<FaultyServer, 'auth' | 'request' | 'reply'>,
]

/** Creates mutants from rows by name. */
export function defineMutants(rows: Readonly<Record<string, MutantRow>>): readonly FaultyServer[] {
  return Object.entries(rows).map(([name, [breaks, change]]) => ({
    name,
    breaks,
    ...(typeof change === 'function' ? { reply: change } : change),
  }))
}

/** Creates a row for each value. */
export function forEach<const Value extends string>(
  values: readonly Value[],
  rowOf: (value: Value) => readonly [name: string, row: MutantRow],
): Readonly<Record<string, MutantRow>> {
  return Object.fromEntries(values.map(rowOf))
}
