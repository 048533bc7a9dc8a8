import type { StateStorage } from '../../src/engine/state/state-storage.ts'
import { createUnderstudy, type StorageEvent, type UnderstudyOptions } from '../../src/index.ts'
import { createStorage, type StatePlace } from '../../src/storage/index.ts'
import { company } from './company.ts'

/** Stores a state in memory, for tests that start a mock several times. */
export class MemoryStorage implements StatePlace, StateStorage {
  readonly name = 'memory'
  /** Short, so that tests need not wait. */
  readonly pause = 100
  text: string | undefined
  readonly aside: { readonly reason: string; readonly text: string | undefined }[] = []
  /** The error that the next writes throw. */
  failure: Error | undefined
  writes = 0

  constructor(text?: string) {
    this.text = text
  }

  connect(...given: Parameters<StateStorage['connect']>) {
    return createStorage(this).connect(...given)
  }

  async read(): Promise<string | undefined> {
    return this.text
  }

  async write(text: string): Promise<void> {
    this.writes += 1
    if (this.failure !== undefined) throw this.failure
    this.text = text
  }

  async setAside(reason: string): Promise<string> {
    this.aside.push({ reason, text: this.text })
    this.text = undefined
    return `memory.${reason}`
  }
}

/** Creates a mock with a storage, waits until it is ready, and collects its storage events. */
export async function openStored(storage: StateStorage, options: UnderstudyOptions = {}) {
  const events: StorageEvent[] = []
  const understudy = createUnderstudy({
    fixture: company,
    storage,
    onStorage: (event) => events.push(event),
    ...options,
  })
  await understudy.ready
  return { understudy, events }
}
