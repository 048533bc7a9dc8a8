import type { Resource, WireRecord } from '../resources/resource.ts'
import type { Timestamp } from '../shared/timestamps.ts'
import type { DueTime } from './due-events.ts'
import type { Model } from './model.ts'
import type { Row } from './store.ts'

/** Record with a scheduled event. */
export interface EventRecord {
  readonly at: Timestamp
  readonly resource: Resource
  readonly key: string
  readonly record: WireRecord
}

/**
 * Yields scheduled events in order. It reads only as much of the heap as the caller takes, so the number of
 * records does not matter.
 */
export function* upcomingOf(model: Model, now: Timestamp): Generator<EventRecord> {
  const expiring = expiringOf(model, now)
  let next = expiring.next()
  for (const event of dueOf(model, now)) {
    for (; !next.done && next.value.at < event.at; next = expiring.next()) yield next.value
    yield event
  }
  for (; !next.done; next = expiring.next()) yield next.value
}

/** Returns the number of scheduled events. */
export function countUpcoming(model: Model, now: Timestamp): number {
  let count = 0
  for (const [plural, store] of model.stores()) {
    const { resource } = model.table(plural)
    const { items } = store.rows
    const { due, expires } = resource
    if (due !== undefined) count += items.filter(({ record }) => typeof record[due.at] === 'string').length
    if (expires) count += items.length - placeAfter(items, resource, now)
  }
  return count
}

/** Yields the records that expire after one timestamp and not after another. */
export function* expiredOf(model: Model, after: Timestamp, until: Timestamp): Generator<EventRecord> {
  for (const event of expiringOf(model, after)) {
    if (event.at > until) return
    yield event
  }
}

/** Yields scheduled events of records. A record that changes meanwhile gets another due time, or none. */
function* dueOf(model: Model, now: Timestamp): Generator<EventRecord> {
  let last: DueTime | undefined
  for (const due of model.dueTimes.inOrder()) {
    const { at, plural, key } = due
    const isTwice = last?.at === at && last.plural === plural && last.key === key
    last = due
    const { resource } = model.table(plural)
    const row = model.table(plural).row(key)
    if (
      isTwice ||
      at <= now ||
      row === undefined ||
      resource.due === undefined ||
      row.record[resource.due.at] !== at
    )
      continue
    yield { at, resource, key, record: row.record }
  }
}

/** Yields the records that expire after a timestamp. The rows are in this order. */
function* expiringOf(model: Model, now: Timestamp): Generator<EventRecord> {
  for (const [plural, store] of model.stores()) {
    const { resource } = model.table(plural)
    if (!resource.expires) continue
    const { items } = store.rows
    for (const { key, record } of items.slice(placeAfter(items, resource, now))) {
      yield { at: timeOf(record, resource), resource, key, record }
    }
  }
}

function timeOf(record: Row['record'], { order }: Resource): Timestamp {
  return String(order?.by && record[order.by])
}

/** The first place whose time comes after another. */
function placeAfter(items: readonly Row[], resource: Resource, now: Timestamp): number {
  let low = 0
  let high = items.length
  while (low < high) {
    const middle = (low + high) >>> 1
    if (timeOf(items[middle]!.record, resource) <= now) low = middle + 1
    else high = middle
  }
  return low
}
