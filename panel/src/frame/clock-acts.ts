import type { ScheduledEvent } from '../library.ts'
import { act } from '../store/acts.ts'
import type { Live } from '../store/live.ts'
import type { Action } from '../store/runner.ts'
import { dayOf, dueTimeWords, durationOf, timeOf } from '../store/words.ts'

export const steps = ['5s', '1h', '1d'] as const

export function toggleClock({ isFrozen }: Live): Action {
  return isFrozen.value
    ? { does: act('clock.run'), title: 'Run the clock', message: 'Clock running.' }
    : { does: act('clock.freeze'), title: 'Freeze the clock', message: 'Clock frozen.' }
}

export function stepBy(step: (typeof steps)[number]): Action {
  const words = durationOf(step)
  const message = `Clock advanced by ${words}.`
  return { does: act('clock.advance', step), title: `Advance by ${words}`, message }
}

/** Moves the clock to a time. At a past time, the clock is frozen. */
export function goTo({ now: { value: now } }: Live, at: number): Action {
  const words = dueTimeWords(at, now)
  const then = `${dayOf(at)}, ${dueTimeWords(at, at)}`
  if (at < now) {
    const does = act('clock.freeze', new Date(at).toISOString())
    return { does, title: `Freeze the clock at ${words}`, message: `Clock frozen at ${then}.` }
  }
  const does = act('clock.advance', `${Math.ceil(at - now)}ms`)
  return { does, title: `Go to ${words}`, message: `Clock advanced to ${then}.` }
}

/** Moves the clock to the next event on display, never to a later one; returns nothing if there is none. */
export function goToNext(live: Live): Action | undefined {
  const [next] = live.scheduled.value
  if (next === undefined) return undefined
  const at = Date.parse(next.at)
  const message = `Clock advanced to ${timeOf(at)}: ${sentenceOf(next)}.`
  return { ...goTo(live, Math.max(at, live.now.value)), title: 'Go to the next event', message }
}

/** Returns the sentence of an event without its full stop. */
export function sentenceOf({ text }: ScheduledEvent): string {
  return text.replace(/\.$/, '')
}

export function clockActs(live: Live): Action[] {
  return [toggleClock(live), ...[goToNext(live) ?? []].flat(), ...steps.map(stepBy)]
}
