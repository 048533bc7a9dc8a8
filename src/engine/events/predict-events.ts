import type { Change } from '../../factories/change.ts'
import type { Model } from '../../factories/model.ts'
import { countUpcoming, expiredOf, upcomingOf } from '../../factories/upcoming.ts'
import type { parseDuration, Timestamp } from '../../shared/timestamps.ts'
import { UnderstudyError } from '../../shared/understudy-error.ts'
import type { WorldInstance } from '../worlds/world-instance.ts'
import { dateOf, describeEvent, predictEvent } from './describe-event.ts'
import type { Advanced, NextOptions, Upcoming, UpcomingEvent, WorldEvent } from './event-types.ts'

/**
 * Tells what will happen in a world by itself, as far as the present tells: `most` at once.
 *
 * @throws UnderstudyError where an option is not one it takes.
 */
export function predictNext(
  world: WorldInstance,
  options: NextOptions = {},
  most: number,
  readDuration: typeof parseDuration,
): Upcoming {
  const { limit, within } = readOptions(options, most, readDuration)
  const model = world.currentModel
  const now = world.clock.now()
  const time = model.now()
  const events: UpcomingEvent[] = []
  for (const each of upcomingOf(model, time)) {
    const wait = dateOf(each.at).getTime() - now
    if (events.length === limit || wait > within) {
      return { events, count: countUpcoming(model, time) }
    }
    const event = predictEvent(each, model)
    if (event !== undefined) events.push({ ...event, wait })
  }
  return { events, count: events.length }
}

/** Moves the clock of a world to the next time at which something happens, and tells what has. */
export function advanceToNext(world: WorldInstance, most: number): Advanced {
  const [next] = predictNext(world, { limit: 1 }, most, () => undefined).events
  const before = world.model.now()
  const changes: Change[] = []
  const { leftOut } =
    next === undefined ? { leftOut: {} } : world.model.noting(changes, () => world.clock.advance(next.wait))
  const now = world.clock.now()
  const events = happenedIn(world.model, changes, before, world.model.now())
  return {
    now,
    at: new Date(now).toISOString(),
    events: events.slice(0, most),
    count: events.length,
    leftOut,
  }
}

/** Returns the events between two timestamps, derived from the changes. */
function happenedIn(
  model: Model,
  changes: readonly Change[],
  after: Timestamp,
  until: Timestamp,
): WorldEvent[] {
  const events: WorldEvent[] = []
  for (const { table, key, previous, next } of changes) {
    const { resource } = model.table(table)
    const at = resource.due && previous?.[resource.due.at]
    if (typeof at !== 'string' || at > until || previous === undefined || next === undefined) continue
    const event = describeEvent({ at, resource, key, record: previous }, next, model)
    if (event !== undefined) events.push(event)
  }
  for (const each of expiredOf(model, after, until)) {
    const event = describeEvent(each, {}, model)
    if (event !== undefined) events.push(event)
  }
  return events.toSorted((one, other) => (one.at < other.at ? -1 : one.at > other.at ? 1 : 0))
}

function readOptions(
  { limit = 20, within, ...others }: NextOptions,
  most: number,
  readDuration: typeof parseDuration,
): { limit: number; within: number } {
  const milliseconds = within === undefined ? Number.POSITIVE_INFINITY : readDuration(within)
  const [unknown] = Object.entries(others)
  const refuse = (name: string, expected: string, found: unknown): never => {
    throw new UnderstudyError(
      'ARGUMENT_INVALID',
      `Failed to tell what comes next: ${name}: expected ${expected}; found ${JSON.stringify(found)}.`,
    )
  }
  if (unknown !== undefined) refuse(unknown[0], 'one of limit, within', unknown[1])
  if (!Number.isInteger(limit) || limit < 1 || limit > most)
    refuse('limit', `a whole number from 1 to ${most}`, limit)
  if (milliseconds === undefined) return refuse('within', "milliseconds or a text such as '3d'", within)
  return { limit, within: milliseconds }
}
