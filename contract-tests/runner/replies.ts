import type { Exchange } from './client.ts'
import { isObject } from './is-object.ts'

/** A record in a reply. */
export type ReceivedRecord = Readonly<Record<string, unknown>>

/** Returns a value as a record; an empty one if the value is no object. */
export const recordOf = (value: unknown): ReceivedRecord => (isObject(value) ? value : {})

/** The record under its singular name. */
export function recordIn({ body }: Exchange, singular: string): ReceivedRecord | undefined {
  const record = isObject(body) ? body[singular] : undefined
  return isObject(record) ? record : undefined
}

/** Returns the records under their plural name; undefined if the reply has no such list. */
export function listIn({ body }: Exchange, plural: string): ReceivedRecord[] | undefined {
  const list = isObject(body) ? body[plural] : undefined
  if (!Array.isArray(list)) return undefined
  // "The list response shape: not shown": a list may show a pipeline by its uuid alone.
  const items =
    plural === 'pipelines'
      ? list.map((item: unknown) => (typeof item === 'string' ? { uuid: item } : item))
      : list
  return items.filter(isObject)
}

/**
 * The raw token of a session: "it returns a payload with a `token` key". The key is at the top level, or under `session` as
 * in other records.
 */
export function rawTokenIn(exchange: Exchange): string | undefined {
  const { token } = recordIn(exchange, 'session') ?? (isObject(exchange.body) ? exchange.body : {})
  return typeof token === 'string' ? token : undefined
}

/** The metadata beside a list. */
export function metadataIn({ body }: Exchange): ReceivedRecord | undefined {
  return isObject(body) && isObject(body.metadata) ? body.metadata : undefined
}

/**
 * Returns the triggers in a record from a read with the parameter for them. The specification does not show their key, so
 * it is the array that the plain record lacks.
 */
export function triggersIn(
  withParameter: ReceivedRecord | undefined,
  plain: ReceivedRecord | undefined,
): ReceivedRecord[] | undefined {
  if (withParameter === undefined || plain === undefined) return undefined
  const added = Object.keys(withParameter).find(
    (key) => Array.isArray(withParameter[key]) && !Object.hasOwn(plain, key),
  )
  return added === undefined ? undefined : (withParameter[added] as unknown[]).filter(isObject)
}

/** Recognizes an error as a client does: by `error.code` in the body, or by an HTTP error. */
export function isError(exchange: Exchange): boolean {
  return exchange.error !== undefined || exchange.httpStatus >= 400
}

/** Returns whether two JSON values are equal, whatever the order of keys. */
export function equal(one: unknown, other: unknown): boolean {
  if (one === other) return true
  // Any value but an object has one JSON text only.
  if (typeof one !== 'object' || typeof other !== 'object') return false
  return canonical(one) === canonical(other)
}

/** Returns whether an object has all the members of another, with equal values. */
export function contains(whole: unknown, part: ReceivedRecord): boolean {
  return (
    isObject(whole) &&
    Object.entries(part).every(([name, value]) => Object.hasOwn(whole, name) && equal(whole[name], value))
  )
}

function canonical(value: unknown): string {
  return JSON.stringify(value, (_, inner: unknown) =>
    isObject(inner) ? Object.fromEntries(Object.entries(inner).sort(([a], [b]) => (a < b ? -1 : 1))) : inner,
  )
}
