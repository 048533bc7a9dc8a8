import type { RecordedExchange } from '../../src/traffic/exchange.ts'

/** An exchange with the writes that were in progress at the same time: which took effect first is unknown. */
export interface TimedExchange {
  readonly exchange: RecordedExchange
  readonly overlapping: readonly RecordedExchange[]
}

/** The most exchanges that wait until an earlier, slower one is complete. */
const mostWaiting = 2_000

/** Recorders round the start of a request to milliseconds. */
const rounding = 1

/** Merges recordings by the time of their requests, and finds the writes that overlap each exchange. */
export async function* withOverlaps(
  recordings: readonly AsyncIterable<RecordedExchange>[],
): AsyncGenerator<TimedExchange, void, undefined> {
  const waiting: RecordedExchange[] = []
  let writes: RecordedExchange[] = []
  const release = (): TimedExchange | undefined => {
    const exchange = waiting.shift()
    if (exchange === undefined) return undefined
    writes = writes.filter((write) => endOf(write) + rounding >= exchange.startedAt)
    const overlapping = [...writes, ...waiting.filter(isWrite)].filter((write) => overlaps(write, exchange))
    if (isWrite(exchange)) writes.push(exchange)
    return { exchange, overlapping }
  }
  for await (const exchange of mergeByTime(recordings)) {
    waiting.push(exchange)
    for (let first = waiting[0]; first !== undefined && first !== exchange; first = waiting[0]) {
      if (endOf(first) + rounding > exchange.startedAt && waiting.length < mostWaiting) break
      const released = release()
      if (released !== undefined) yield released
    }
  }
  for (let released = release(); released !== undefined; released = release()) yield released
}

async function* mergeByTime(
  recordings: readonly AsyncIterable<RecordedExchange>[],
): AsyncGenerator<RecordedExchange, void, undefined> {
  const readers = recordings.map((recording) => recording[Symbol.asyncIterator]())
  const heads = await Promise.all(readers.map((reader) => reader.next()))
  for (;;) {
    let earliest = -1
    for (const [index, head] of heads.entries())
      if (!head.done && !(heads[earliest]?.value?.startedAt <= head.value.startedAt)) earliest = index
    const [head, reader] = [heads[earliest], readers[earliest]]
    if (head === undefined || head.done || reader === undefined) return
    yield head.value
    heads[earliest] = await reader.next()
  }
}

function overlaps(one: RecordedExchange, other: RecordedExchange): boolean {
  if (one.isOrdered || other.isOrdered) return false
  // A client that waits for a reply sends its next request in the same millisecond.
  const slack = one.client === other.client ? -rounding : rounding
  return one.startedAt < endOf(other) + slack && other.startedAt < endOf(one) + slack
}

function isWrite({ request: { method } }: RecordedExchange): boolean {
  return method === 'POST' || method === 'PUT' || method === 'PATCH' || method === 'DELETE'
}

function endOf({ startedAt, milliseconds }: RecordedExchange): number {
  return startedAt + milliseconds
}
