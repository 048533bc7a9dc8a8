import type { Change } from '../../factories/change.ts'
import type { Model } from '../../factories/model.ts'
import { type EventRecord, expiredOf, scheduledRecords } from '../../factories/scheduled-records.ts'
import { events as eventsOf } from '../../resources/events.ts'
import type { WireRecord } from '../../resources/resource.ts'
import { checkOptions, duration, type OptionChecks, wholeNumber } from '../../shared/check-options.ts'
import * as limits from '../../shared/limits.ts'
import { parseDuration, type Timestamp, toMilliseconds } from '../../shared/timestamps.ts'
import type { WorldInstance } from '../worlds/world-instance.ts'
import type { Advanced, NextOptions, ScheduledEvent, ScheduledEvents, WorldEvent } from './event-types.ts'

const checks: OptionChecks<NextOptions> = { limit: wholeNumber(1, limits.reportedEvents), within: duration }

/**
 * Predicts the scheduled events of a world from its present state.
 *
 * @throws UnderstudyError if an option is invalid.
 */
export function predictNext(world: WorldInstance, options: NextOptions = {}): ScheduledEvents {
  checkOptions('clock.next', options, checks)
  const { limit = 20, within } = options
  const latest = within === undefined ? undefined : parseDuration(within)
  const model = world.currentModel
  const now = world.clock.now()
  const time = model.now()
  const events: ScheduledEvent[] = []
  const scheduled = scheduledRecords(model, time)
  for (const each of scheduled) {
    const wait = toMilliseconds(each.at) - now
    if (events.length === limit || wait > (latest ?? Number.POSITIVE_INFINITY))
      return { events, count: scheduled.length }
    const { due } = model.table(each.plural).resource
    const next = due === undefined ? {} : due.predicts(each.record, model)
    const event = next && describeEvent(each, next, model)
    if (event !== undefined) events.push({ ...event, wait })
  }
  return { events, count: events.length }
}

/** Advances the clock of a world to the next scheduled event, and returns the events that happened. */
export function advanceToNext(world: WorldInstance): Advanced {
  const [next] = predictNext(world, { limit: 1 }).events
  const before = world.model.now()
  const changes: Change[] = []
  const { leftOut } =
    next === undefined ? { leftOut: {} } : world.model.noting(changes, () => world.clock.advance(next.wait))
  const now = world.clock.now()
  const events = happenedIn(world.model, changes, before, world.model.now())
  return {
    now,
    at: new Date(now).toISOString(),
    events: events.slice(0, limits.reportedEvents),
    count: events.length,
    leftOut,
  }
}

function happenedIn(
  model: Model,
  changes: readonly Change[],
  after: Timestamp,
  until: Timestamp,
): WorldEvent[] {
  const events: WorldEvent[] = []
  const add = (event: WorldEvent | undefined) => {
    if (event !== undefined) events.push(event)
  }
  for (const { table, key, previous, next } of changes) {
    const { resource } = model.table(table)
    const at = resource.due && previous?.[resource.due.at]
    if (typeof at !== 'string' || at > until || previous === undefined || next === undefined) continue
    add(describeEvent({ at, plural: table, key, record: previous }, next, model))
  }
  for (const each of expiredOf(model, after, until)) add(describeEvent(each, {}, model))
  return events.toSorted((one, other) => (one.at < other.at ? -1 : one.at > other.at ? 1 : 0))
}

/** Describes the event that changes a record to its next state; `undefined` if nothing happens. */
function describeEvent(
  { at, plural, key, record }: EventRecord,
  next: WireRecord,
  model: Model,
): WorldEvent | undefined {
  const words = eventsOf[plural]?.describe(record, next, model)
  if (words === undefined) return undefined
  const table = model.table(plural)
  const { resource } = table
  const name = resource.displayName && record[resource.displayName]
  const belongsTo = Object.keys(resource.references ?? {}).map((name) => [name, record[name]])
  return {
    at: new Date(toMilliseconds(at)).toISOString(),
    kind: words.kind,
    plural,
    key: table.shownKey(key),
    name: typeof name === 'string' ? name : null,
    belongsTo: Object.fromEntries(belongsTo),
    text: words.text,
  }
}
