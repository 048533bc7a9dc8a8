import type { StateHost, StateStorage } from '../../src/engine/state/state-storage.ts'
import { createStorage, type StatePlace } from '../../src/storage/index.ts'

/** A storage of a test: what is kept in it, what was set aside, and how it fails. */
export class MemoryStorage implements StatePlace, StateStorage {
  readonly name = 'memory'
  kept: Buffer | undefined
  readonly aside: { readonly reason: string; readonly bytes: Buffer | undefined }[] = []
  /** What writing fails with. */
  failure: Error | undefined
  writes = 0
  /** What is done while it is written. */
  meanwhile: () => Promise<void> = async () => undefined

  constructor(kept?: Buffer | string) {
    this.kept = typeof kept === 'string' ? Buffer.from(kept) : kept
  }

  /** It is a storage, too: one that is made of itself. */
  keep(host: StateHost) {
    return createStorage(this).keep(host)
  }

  async read(): Promise<Uint8Array | undefined> {
    return this.kept
  }

  async write(pieces: readonly Uint8Array[]): Promise<void> {
    this.writes += 1
    if (this.failure !== undefined) throw this.failure
    await this.meanwhile()
    this.kept = Buffer.concat(pieces)
  }

  async setAside(reason: string): Promise<string> {
    this.aside.push({ reason, bytes: this.kept })
    this.kept = undefined
    return `memory.${reason}`
  }
}
