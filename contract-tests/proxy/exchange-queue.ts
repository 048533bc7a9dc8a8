import type { RecordedExchange } from '../../src/traffic/exchange.ts'

/** Exchanges that one side adds and the other reads, at the pace of the reader. */
export class ExchangeQueue implements AsyncIterable<RecordedExchange> {
  #waiting: { readonly exchange: RecordedExchange; readonly taken: () => void }[] = []
  #wake: () => void = () => undefined
  #isClosed = false

  /** Adds an exchange; resolves when the reader takes it. */
  add(exchange: RecordedExchange): Promise<void> {
    if (this.#isClosed) return Promise.resolve()
    return new Promise((taken) => {
      this.#waiting.push({ exchange, taken })
      this.#wake()
    })
  }

  /** Ends the queue. Exchanges that nobody will read no longer wait. */
  close(): void {
    this.#isClosed = true
    this.#wake()
  }

  async *[Symbol.asyncIterator](): AsyncGenerator<RecordedExchange, void, undefined> {
    for (;;) {
      const next = this.#waiting.shift()
      if (next !== undefined) {
        next.taken()
        yield next.exchange
      } else if (this.#isClosed) {
        return
      } else {
        await new Promise<void>((resolve) => {
          this.#wake = resolve
        })
      }
    }
  }

  /** Drops the exchanges without a reader. */
  abandon(): void {
    this.close()
    for (const { taken } of this.#waiting.splice(0)) taken()
  }
}
