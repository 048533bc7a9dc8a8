import type { RequestListener } from 'node:http'
import type { Statement } from '../../contract-tests/rules/document.ts'
import type { RuleId } from '../../contract-tests/rules/index.ts'
import type { Answering } from '../../contract-tests/runner/transports/transport.ts'
import type { AssumptionId } from '../../src/assumptions/index.ts'
import type { UnderstudyOptions } from '../../src/index.ts'
import type { Start } from '../mutants/serve-mutant.ts'

/** A server that differs from the understudy where the document leaves it open: nothing may be said against it. */
export interface HarmlessVariant {
  readonly name: string
  /** What leaves it open: an assumption of ours, or what the document says instead of more. */
  readonly leaves: AssumptionId | Statement
  /** The rules that rest on a sample or a convention, and may tell it apart: they decide where `--strict` makes them. */
  readonly toldBy?: readonly RuleId[]
  /** An understudy that chooses otherwise. */
  readonly options?: UnderstudyOptions
  /** What stands in front of it. */
  readonly start?: Start
  /** Further variants in front of that. */
  readonly others?: readonly HarmlessVariant[]
  /** What others do on the same server, each time the client has asked something. */
  readonly meanwhile?: (server: Answering) => (nth: number) => Promise<void>
  /** What it stands behind, where it is asked through sockets. */
  readonly behind?: (server: Answering) => RequestListener
  /** Milliseconds that a reply takes. */
  readonly delay?: (nth: number) => number
}

/** The sentence or assumption that leaves a choice open, the server that makes it, and the rules that may report it. */
export type VariantRow = readonly [
  leaves: HarmlessVariant['leaves'],
  server: Start | Omit<HarmlessVariant, 'name' | 'leaves' | 'toldBy'>,
  ...toldBy: RuleId[],
]

/** Creates variants from rows by name. */
export const defineVariants = (rows: Readonly<Record<string, VariantRow>>): readonly HarmlessVariant[] =>
  Object.entries(rows).map(([name, [leaves, server, ...toldBy]]) => ({
    name,
    leaves,
    toldBy,
    ...(typeof server === 'function' ? { start: server } : server),
  }))

/** Creates a row for each value. */
export const forEach = <const Value extends string>(
  values: readonly Value[],
  rowOf: (value: Value) => readonly [name: string, row: VariantRow],
): Readonly<Record<string, VariantRow>> => Object.fromEntries(values.map(rowOf))
