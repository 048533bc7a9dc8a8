import type { Exchange } from './client.ts'
import { listIn, metadataIn, type ReceivedRecord } from './replies.ts'

/** How many records are asked for after the first page, and how many pages at most. */
const pageSize = 100
const mostPages = 40

/** A list read to its end, however many records the target gives where nobody says how many. */
export interface WholeList {
  readonly records: readonly ReceivedRecord[]
  /** The first page, and the last: the same where there is one. */
  readonly first: Exchange
  readonly last: Exchange
  /** True if the end was reached. */
  readonly isWhole: boolean
}

/**
 * Reads a list that knows `_limit` and `_offset` to its end: "Default and maximum `_limit`: not shown", so that any page
 * may be short, and says so by `next`. Undefined where the first reply holds no such list.
 */
export async function readWhole(
  get: (path: string) => Promise<Exchange>,
  path: string,
  plural: string,
): Promise<WholeList | undefined> {
  const first = await get(path)
  const begun = listIn(first, plural)
  return begun && readOn(get, path, plural, first, begun)
}

async function readOn(
  get: (path: string) => Promise<Exchange>,
  path: string,
  plural: string,
  first: Exchange,
  begun: readonly ReceivedRecord[],
): Promise<WholeList> {
  const records = [...begun]
  let last = first
  for (let page = 1; metadataIn(last)?.next === true; page++) {
    if (page === mostPages) return { records, first, last, isWhole: false }
    const mark = path.includes('?') ? '&' : '?'
    const reply = await get(`${path}${mark}_limit=${pageSize}&_offset=${records.length}`)
    const more = listIn(reply, plural) ?? []
    // Nothing follows, whatever `next` has said: the last page that held something is the one to look at.
    if (more.length === 0) return { records, first, last, isWhole: true }
    records.push(...more)
    last = reply
  }
  return { records, first, last, isWhole: true }
}
