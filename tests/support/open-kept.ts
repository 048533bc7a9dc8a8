import {
  createUnderstudy,
  type StorageEvent,
  type Understudy,
  type UnderstudyOptions,
} from '../../src/index.ts'
import { company } from './company.ts'
import type { MemoryStorage } from './memory-storage.ts'

/** An understudy whose state is kept, once it is ready, and what it was told of its storage. */
export async function openKept(
  storage: MemoryStorage,
  options: UnderstudyOptions = {},
): Promise<{ understudy: Understudy; events: StorageEvent[] }> {
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
