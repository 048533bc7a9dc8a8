import type { Exchange } from './client.ts'
import { listIn, metadataIn, type ReceivedRecord } from './replies.ts'

/** Number of records to request per page after the first, and maximum number of pages. */
const pageSize = 100
const mostPages = 40

/** A whole list, page by page. */
export interface WholeList {
  readonly records: readonly ReceivedRecord[]
  /** The first and the last page, which may be the same. */
  readonly first: Exchange
  readonly last: Exchange
  /** True if there are no more pages. */
  readonly isWhole: boolean
}

/**
 * Reads a list with `_limit` and `_offset` to its end. Any page may be short, with `next: true` ("Default and maximum
 * `_limit`: not shown"). Returns undefined if the first reply contains no such list.
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
    // An empty page ends the list, even if `next` was true: return the last page with records.
    if (more.length === 0) return { records, first, last, isWhole: true }
    records.push(...more)
    last = reply
  }
  return { records, first, last, isWhole: true }
}
