import type { IncomingMessage } from 'node:http'

/** Maximum size of a recorded body, in bytes. */
const mostOfBody = 4 * 1024 * 1024
/** Maximum size of all bodies in memory, in bytes. */
const mostTogether = 64 * 1024 * 1024

/** Memory that the bodies of all exchanges in progress share. */
export class MemoryBudget {
  #used = 0

  /** Reserves memory; false if none is left. */
  reserve(bytes: number): boolean {
    if (this.#used + bytes > mostTogether) return false
    this.#used += bytes
    return true
  }

  release(bytes: number): void {
    this.#used -= bytes
  }
}

/** Copies a body while the proxy passes it on, unless it is too large. */
export class BodyCopy {
  /** Reserved bytes. */
  size = 0
  #chunks: Buffer[] | undefined = []

  constructor(message: IncomingMessage, budget: MemoryBudget) {
    message.on('data', (chunk: Buffer) => {
      if (this.#chunks === undefined) return
      if (this.size + chunk.length <= mostOfBody && budget.reserve(chunk.length)) {
        this.size += chunk.length
        this.#chunks.push(chunk)
      } else {
        this.#chunks = undefined
        budget.release(this.size)
        this.size = 0
      }
    })
  }

  /** Returns the body and stops copying; `undefined` if it was too large. */
  take(): Buffer | undefined {
    const chunks = this.#chunks
    this.#chunks = undefined
    return chunks && Buffer.concat(chunks)
  }
}
