// TEMPORARY until main has worlds: replaced at the merge.
import type { Understudy as Present } from '../engine/create-understudy.ts'
import type { RunScript } from '../engine/runs.ts'
import type { Factories, Tables } from '../engine/types.ts'
import type { Fixture } from '../factories/fixture.ts'
export interface Fault {
  operation?: string
}
export interface ActiveFault extends Fault {
  id: string
  used: number
}
export interface JournalFilter {
  operation?: string
  method?: string
  path?: string
  status?: number
}
export interface JournalEntry {
  sequence: number
}
export interface World {
  readonly name: string
  readonly apiKeys: readonly string[]
  readonly model: Tables
  readonly factories: Factories
  readonly clock: {
    now(): number
    advance(duration: string | number): void
    freeze(at?: Date | string): void
    run(speed?: number): void
    reset(): void
  }
  readonly runs: {
    script(target: { pipeline_uuid: string } | { id: number }, script: RunScript): void
    finish(id: number, status?: 'completed' | 'failed' | 'cancelled'): void
    advance(id: number): void
  }
  readonly faults: {
    add(fault: Fault): ActiveFault
    list(): ActiveFault[]
    remove(id: string): boolean
    clear(): void
  }
  readonly journal: {
    entries(filter?: JournalFilter): JournalEntry[]
    clear(): void
    har(): object
    subscribe(listener: (entry: JournalEntry) => void): () => void
  }
  readonly assumptions: {
    list(): { id: string; section: string; choice: string; value?: unknown; values?: readonly string[] }[]
    switch(values: object): void
  }
  reset(): void
  snapshot(name: string): void
  restore(name: string): void
  snapshots(): string[]
  export(): Fixture
  import(fixture: Fixture): void
  rawToken(token: string): Promise<string>
}
export interface Understudy extends World {
  readonly endpoints: Present['endpoints']
  readonly auth: Present['auth']
  world(name: string): World
  readonly worlds: {
    list(): { name: string; requests: number; idle: number }[]
    create(name: string, options?: { fixture?: Fixture }): World
    delete(name: string): boolean
  }
  dispatch: Present['dispatch']
  fetch: Present['fetch']
  dispose: Present['dispose']
}
