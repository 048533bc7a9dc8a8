import { hidden } from '../../src/shared/hidden.ts'
import { type ComparedKind, kinds } from '../model-based/relation.ts'
import { isObject } from '../runner/is-object.ts'
import type { ReachedOperation } from '../runner/operation-of.ts'
import type { Exchange } from '../runner/read-exchange.ts'
import type { ReceivedRecord } from '../runner/replies.ts'

/** The reason why the model did not follow an exchange. */
export type Unfollowed =
  | 'first to show their records'
  | 'with an error as the reply'
  | 'during a write'
  | 'without the body of the request'
  | 'more than a minute after the last one'
  | 'about records that the model does not contain'
  | 'of operations that the specification does not describe'

/** The reason where a reply shows no record that the model contains. */
export const unknownRecords = 'about records that the model does not contain' satisfies Unfollowed

/** An exchange with its operation and the time of its request. */
export interface ReachedExchange {
  readonly exchange: Exchange
  readonly reached: ReachedOperation
  readonly at: number
}

/** An exchange about records that the model contains. */
export interface FollowedExchange extends ReachedExchange {
  readonly kind: ComparedKind
  /** The pipeline of the records, as far as it is known. */
  readonly home: string | undefined
}

const kindBySingular = new Map<string, ComparedKind>([
  ...kinds.map((kind): [string, ComparedKind] => [kind, kind]),
  ['pipeline_schedule', 'schedule'],
  ['pipeline_run', 'run'],
])

/** The kind of the records of an operation. */
export function kindOf(singular: string): ComparedKind | undefined {
  return kindBySingular.get(singular)
}

/** The attribute that identifies a record. */
export function keyOf(kind: ComparedKind): 'id' | 'uuid' {
  return kind === 'pipeline' || kind === 'block' ? 'uuid' : 'id'
}

/** The pipeline that a record belongs to, as it shows, or as the request names it. */
export function homeIn(
  kind: ComparedKind,
  { pipeline_uuid: shown }: ReceivedRecord,
  named: string | undefined,
) {
  if (kind === 'pipeline') return undefined
  return typeof shown === 'string' && kind !== 'block' ? shown : named
}

/** The key of the record that the path names last. */
export function keyInPath({ facts, parameters }: ReachedOperation): string | undefined {
  const { backfill_id, block_uuid, pipeline_schedule_id, pipeline_run_id, uuid } = parameters
  const keys: Readonly<Record<string, string | undefined>> = {
    backfill: backfill_id, block: block_uuid, pipeline_schedule: pipeline_schedule_id, pipeline_run: pipeline_run_id, pipeline: uuid,
  } // biome-ignore format: a list
  return keys[facts.singular]
}

/** The record in the body of a request. */
export function sentRecord({ requestBody }: Exchange, singular: string): ReceivedRecord {
  const sent = isObject(requestBody) ? requestBody[singular] : undefined
  return isObject(sent) ? sent : {}
}

/** Returns whether a query parameter selects a page. */
export function isPaging(name: string): boolean {
  return name === '_limit' || name === '_offset'
}

/** Returns whether the server failed, so that a write may have taken effect or not. */
export function isServerError({ httpStatus, code }: Exchange): boolean {
  return httpStatus >= 500 || code >= 500 || Number.isNaN(code)
}

/** Returns whether there is no such record. */
export function isNotFound({ code, error }: Exchange): boolean {
  return code === 404 || error?.type === 'record_not_found'
}

/** Returns whether a recorder has hidden a part of the values: it may learn a credential after its first use. */
export function hasHidden(values: object): boolean {
  return JSON.stringify(values).includes(hidden)
}

/** The value of a query parameter that is a whole number. */
export function wholeNumber(text: string | null): number | undefined {
  return text !== null && /^\d+$/.test(text) ? Number(text) : undefined
}

/** A request in the list of those that led to a value. */
export function stepOf({ method, path }: Exchange): string {
  return `${method} ${path}`
}
