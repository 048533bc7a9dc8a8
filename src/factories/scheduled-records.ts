import type { Resource, WireRecord } from '../resources/resource.ts'
import type { Timestamp } from '../shared/timestamps.ts'
import type { Model } from './model.ts'

/** Record with a scheduled event. */
export interface EventRecord {
  readonly at: Timestamp
  readonly plural: string
  readonly key: string
  readonly record: WireRecord
}

/** Returns the records with a scheduled event after a timestamp, in the order of the events. */
export function scheduledRecords(model: Model, now: Timestamp): EventRecord[] {
  const scheduled = eventsAfter(model, now, ({ due, expiresAt }) => due?.at ?? expiresAt)
  return scheduled.sort(model.dueTimes.compare)
}

/** Returns the records that expire after one timestamp and not after another. */
export function expiredOf(model: Model, after: Timestamp, until: Timestamp): EventRecord[] {
  return eventsAfter(model, after, ({ expiresAt }) => expiresAt).filter(({ at }) => at <= until)
}

/** Returns the records with an event after a timestamp, by the attribute of their resource with its time. */
function eventsAfter(
  model: Model,
  after: Timestamp,
  attributeOf: (resource: Resource) => string | undefined,
): EventRecord[] {
  const found: EventRecord[] = []
  for (const resource of model.resources) {
    const { plural } = resource
    const attribute = attributeOf(resource)
    if (attribute === undefined) continue
    const table = model.table(plural)
    for (const record of table.records()) {
      const at = record[attribute]
      if (typeof at === 'string' && at > after) found.push({ at, plural, key: table.keyOf(record), record })
    }
  }
  return found
}
