import type { RequestListener } from 'node:http'
import type { Statement } from '../../contract-tests/rules/document.ts'
import type { RuleId } from '../../contract-tests/rules/index.ts'
import type { Answering } from '../../contract-tests/runner/transports/transport.ts'
import type { AssumptionId } from '../../src/assumptions/index.ts'
import type { UnderstudyOptions } from '../../src/index.ts'
import type { Start } from '../mutants/serve-mutant.ts'

/** A conforming server that differs from the mock where the API specification leaves a choice. `verify` must find nothing. */
export interface ConformingVariant {
  readonly name: string
  /** The reason why the choice is open: an assumption of the mock, or the sentence that does not decide it. */
  readonly reason: AssumptionId | Statement
  /** The rules that rest on a sample or a convention and may fail. They affect the exit code only with `--strict`. */
  readonly departsFrom?: readonly RuleId[]
  /** The options of the mock. */
  readonly options?: UnderstudyOptions
  /** A change of the mock's requests or replies. */
  readonly start?: Start
  /** Further variants, applied after this one. */
  readonly others?: readonly ConformingVariant[]
  /** The work of other clients on the same server, before each request. */
  readonly meanwhile?: (server: Answering) => (nth: number) => Promise<void>
  /** A server between the client and the mock, for requests over sockets. */
  readonly behind?: (server: Answering) => RequestListener
  /** The delay of a reply in milliseconds. */
  readonly delay?: (nth: number) => number
}

/** The sentence or assumption that leaves a choice open, the server that makes it, and the rules that may report it. */
export type VariantRow = readonly [
  reason: ConformingVariant['reason'],
  server: Start | Omit<ConformingVariant, 'name' | 'reason' | 'departsFrom'>,
  ...departsFrom: RuleId[],
]

/** Creates variants from rows by name. */
export const defineVariants = (rows: Readonly<Record<string, VariantRow>>): readonly ConformingVariant[] =>
  Object.entries(rows).map(([name, [reason, server, ...departsFrom]]) => ({
    name,
    reason,
    departsFrom,
    ...(typeof server === 'function' ? { start: server } : server),
  }))

/** Creates a row for each value. */
export const forEach = <const Value extends string>(
  values: readonly Value[],
  rowOf: (value: Value) => readonly [name: string, row: VariantRow],
): Readonly<Record<string, VariantRow>> => Object.fromEntries(values.map(rowOf))
