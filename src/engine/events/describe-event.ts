import type { Model } from '../../factories/model.ts'
import type { EventRecord } from '../../factories/upcoming.ts'
import { events } from '../../resources/events.ts'
import type { WireRecord } from '../../resources/resource.ts'
import type { Timestamp } from '../../shared/timestamps.ts'
import type { WorldEvent } from './event-types.ts'

/** Says what happens where a record becomes another one at its time; `undefined` where nothing does. */
export function describeEvent(
  { at, resource, key, record }: EventRecord,
  next: WireRecord,
  model: Model,
): WorldEvent | undefined {
  const words = events[resource.plural]?.describe(record, next, model)
  if (words === undefined) return undefined
  const name = resource.displayName && record[resource.displayName]
  // What refers to another record holds its key.
  const belongsTo = Object.keys(resource.references ?? {}).map((name) => [name, record[name]])
  return {
    at: dateOf(at).toISOString(),
    kind: words.kind,
    plural: resource.plural,
    key: model.table(resource.plural).shownKey(key),
    name: typeof name === 'string' ? name : null,
    belongsTo: Object.fromEntries(belongsTo),
    text: words.text,
  }
}

/** Says what will happen to a record at its time, as far as the present tells. */
export function predictEvent(of: EventRecord, model: Model): WorldEvent | undefined {
  const { due } = of.resource
  const next = due === undefined ? {} : due.predicts(of.record, model)
  return next && describeEvent(of, next, model)
}

/** The time of a timestamp. Written out, so that what tells of events, which a page loads late, brings nothing along twice. */
export function dateOf(at: Timestamp): Date {
  return new Date(`${at.slice(0, 10)}T${at.slice(11, 23)}Z`)
}
