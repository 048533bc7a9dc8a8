import type { Signal } from '@preact/signals'
import type { Controls, WorldControls } from '../../../src/admin/client/types.ts'

/** How long is waited, in milliseconds: after a server was lost, after a stream has only ended; and as long as a timer can. */
export const waits = { retry: 5_000, resume: 50, longest: 2 ** 31 - 1 } as const

/** Where the clock stood when it was read, and how fast it runs since. */
export interface ClockReading {
  readonly now: number
  readonly speed: number
  readonly readAt: number
}

/** What of a world is to be asked for again: a table by its plural, or one of the others. */
export type LivePart =
  | 'clock'
  | 'faults'
  | 'requests'
  | 'journal'
  | 'upcoming'
  | 'errors'
  | 'worlds'
  | 'resources'
  | `records/${string}`

/** Whether there is no world of a name any more; where nobody answers, that is not known. */
export async function isGone({ worlds }: Controls, world: string): Promise<boolean> {
  const there = await Promise.resolve(worlds.list()).catch(() => undefined)
  return there?.every(({ name }) => name !== world) ?? false
}

/** Makes a world where there is none of its name. */
export async function makeWorld(controls: Controls, name: string): Promise<void> {
  if (name !== 'main' && (await isGone(controls, name))) await controls.worlds.create(name)
}

/** Puts a value in its place, where it says something new. */
export function put<Value>(place: Signal<Value>, value: Value): void {
  if (JSON.stringify(place.peek()) !== JSON.stringify(value)) place.value = value
}

/** Passes over a table that the world lacks: a state that was opened may not have what the one before had. */
export async function passOver(of: WorldControls, part: LivePart, error: unknown): Promise<() => void> {
  const isTable = part.startsWith('records/')
  if (!isTable || (await of.resources()).some(({ plural }) => `records/${plural}` === part)) throw error
  return () => undefined
}
