import type { UpcomingEvent } from '../../../src/engine/events/event-types.ts'
import { type Act, act } from '../store/acts.ts'
import type { Live } from '../store/live.ts'
import { dayOf, durationOf, momentWords, timeOf } from '../store/words.ts'

/** An act of the clock with its words: buttons, keys and what is typed all offer the same. */
export interface ClockAct {
  readonly does: Act
  /** What it is called where it stands among other acts. */
  readonly title: string
  /** What is said when it is done. */
  readonly says: string
}

/** The steps by which the clock is moved; those of the bar have buttons. */
const steps = ['5s', '1m', '1h', '1d', '1w'] as const
export const barSteps = ['5s', '1h', '1d'] as const satisfies readonly (typeof steps)[number][]

/** Stops the clock, or lets it go on. */
export function turnClock({ isFrozen }: Pick<Live, 'isFrozen'>): ClockAct {
  return isFrozen.value
    ? { does: act('clock.run'), title: 'Run the clock', says: 'The clock runs.' }
    : { does: act('clock.freeze'), title: 'Freeze the clock', says: 'The clock stands still.' }
}

/** Lets the clock run so many times as fast. */
export function runAt(speed: number): ClockAct {
  const title = `Run the clock at ${speed}×`
  return { does: act('clock.run', speed), title, says: `The clock runs at ${speed}×.` }
}

/** Moves the clock on by a step. */
export function stepBy(step: (typeof steps)[number]): ClockAct {
  const words = durationOf(step)
  return {
    does: act('clock.advance', step),
    title: `Advance by ${words}`,
    says: `The clock went on by ${words}.`,
  }
}

/** Moves the clock to a moment; to one that has been it is set back, and stands there. */
export function goTo({ now: { value: now } }: Pick<Live, 'now'>, at: number): ClockAct {
  const words = momentWords(at, now)
  if (at < now) {
    return {
      does: act('clock.freeze', new Date(at).toISOString()),
      title: `Freeze the clock at ${words}`,
      says: `The clock stands still at ${dayOf(at)}, ${momentWords(at, at)}.`,
    }
  }
  return {
    does: act('clock.advance', `${Math.ceil(at - now)}ms`),
    title: `Go to ${words}`,
    says: `The clock went to ${dayOf(at)}, ${momentWords(at, at)}.`,
  }
}

/** Moves the clock to the next event; nothing where nothing will happen by itself. */
export function goToNext({ upcoming }: Pick<Live, 'upcoming'>): ClockAct | undefined {
  const [next] = upcoming.value
  if (next === undefined) return undefined
  return {
    does: act('clock.advanceToNext'),
    title: 'Go to the next event',
    says: `The clock went to ${timeOf(Date.parse(next.at))}: ${sentenceOf(next)}.`,
  }
}

/** What an event says, to stand in a sentence. */
export function sentenceOf({ text }: UpcomingEvent): string {
  return text.replace(/\.$/, '')
}

/** All that can be done to the clock now. */
export function clockActs(live: Live): ClockAct[] {
  return [turnClock(live), ...[goToNext(live) ?? []].flat(), ...steps.map(stepBy)]
}
