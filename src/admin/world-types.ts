// TEMPORARY until main has clock.run and runs.advance: then engine/world.ts is imported instead.
import type { Understudy as EngineUnderstudy } from '../engine/create-understudy.ts'
import type { World as EngineWorld } from '../engine/world.ts'

export type { ActiveFault } from '../engine/faults.ts'
export type { JournalEntry } from '../engine/journal-entry.ts'

interface Soon {
  readonly clock: Omit<EngineWorld['clock'], 'resume' | 'run'> & { run(speed?: number): void }
  readonly runs: EngineWorld['runs'] & { advance(id: number): void }
}
export type World = Omit<EngineWorld, keyof Soon> & Soon
export type Understudy = Omit<EngineUnderstudy, keyof Soon | 'world'> & Soon & { world(name: string): World }
