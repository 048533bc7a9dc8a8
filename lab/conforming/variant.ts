import type { RequestListener } from 'node:http'
import type { Json } from '../../contract-tests/mutants/define-mutant.ts'
import type { Statement } from '../../contract-tests/rules/document.ts'
import type { RuleId } from '../../contract-tests/rules/index.ts'
import { isObject } from '../../contract-tests/runner/is-object.ts'
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

/** What a client wrote itself, and what has no fixed members: it is left as it is. */
export const verbatim: readonly string[] = [
  'variables',
  'event_variables',
  'config',
  'configuration',
  'metadata',
  'extensions',
  'executor_config',
  'notification_config',
  'spark_config',
  'error',
  'settings',
  'metrics',
]

/** Changes every object of a reply, at whatever depth, but what stands under the kept names. */
export function deep(
  value: unknown,
  change: (record: Json) => Json,
  kept: readonly string[] = verbatim,
): unknown {
  if (Array.isArray(value)) return value.map((inner) => deep(inner, change, kept))
  if (!isObject(value)) return value
  return change(
    Object.fromEntries(
      Object.entries(value).map(([name, inner]) => [
        name,
        kept.includes(name) ? inner : deep(inner, change, kept),
      ]),
    ),
  )
}

/** Tells whether an object is a record rather than an envelope. */
export function isRecord(record: Json): boolean {
  return 'uuid' in record || 'created_at' in record || 'expires' in record
}

/** Changes every body. */
export const onBodies =
  (change: (body: Json, request: Parameters<ReturnType<Start>>[0]) => unknown): Start =>
  () =>
  async (heard, ask) => {
    const reply = await ask()
    return isObject(reply.body) ? { ...reply, body: change(reply.body, heard) } : reply
  }
