import { derivedRule } from '../rules/derived.ts'
import type { OperationId } from '../rules/index.ts'
import type { Exchange } from '../runner/client.ts'
import { PageSizes } from '../runner/page-sizes.ts'
import { equal, listIn, metadataIn, type ReceivedRecord } from '../runner/replies.ts'
import { errorOf, type Flaw, type SequenceRun, unless } from './sequence-run.ts'

/** A list that others may change during a read. */
interface SharedList {
  readonly operation: OperationId
  readonly path: string
  readonly plural: string
  /** The attribute that identifies its items. */
  readonly key: string
}

/** A list at one time. */
interface Whole {
  readonly ids: readonly string[]
  readonly records: readonly ReceivedRecord[]
  readonly exchange: Exchange
}

/** Maximum number of reads of a list that other clients change. */
const mostReads = 4
/** Maximum length of a list for reads by pages. */
const longest = 1_000

/** The pages to read of a list of this size: within, at the edges, past the end, and with one of the two parameters. */
function pagesOf(size: number): readonly PageBounds[] {
  return [
    { limit: 1 },
    { limit: 1, offset: 1 },
    { limit: 2, offset: Math.max(size - 2, 0) },
    { limit: Math.max(size - 1, 1) },
    { limit: size, offset: 0 },
    { limit: size + 1 },
    { limit: 0 },
    { offset: 1 },
    { offset: size },
    { limit: 2, offset: size + 3 },
  ]
}

/**
 * Reads the pages of a list that other clients may change, and compares each with the whole list, which must be the same
 * before and after. Returns the whole list; undefined if it was never read as a whole.
 */
export async function pageThrough(sequence: SequenceRun, list: SharedList): Promise<Whole | undefined> {
  let whole = await readWhole(sequence, list)
  const pageSizes = new PageSizes()
  if (whole === undefined || whole.ids.length === 0 || whole.ids.length > longest) return whole
  for (const { limit, offset } of pagesOf(whole.ids.length)) {
    const query = [
      ...(limit === undefined ? [] : [`_limit=${limit}`]),
      ...(offset === undefined ? [] : [`_offset=${offset}`]),
    ].join('&')
    let flaws: PageFlaws = {}
    let page: Exchange | undefined
    // A change by another client shows once; a fault may show in one form of the request only.
    let flawed = 0
    for (let attempt = 0; attempt < mostReads && flawed < 2; attempt++) {
      page = await sequence.get(`${list.path}${list.path.includes('?') ? '&' : '?'}${query}`)
      flaws = comparePage(page, list, whole.ids, { limit, offset }, pageSizes)
      if (!isFlawed(flaws)) break
      const again = await readWhole(sequence, list)
      // A partial list after a whole one shows another limit, not a change.
      if (again === undefined || equal(again.ids, whole.ids)) {
        flawed++
        continue
      }
      whole = again
      flawed = 0
      flaws = {}
      page = undefined
    }
    // It changed at every read.
    if (page === undefined) return whole
    if (page.error !== undefined && !isFlawed(flaws)) continue
    sequence.note(derivedRule(list.operation, 'paging'), page, flaws.paging)
    if (flaws.paging === undefined) sequence.note(derivedRule(list.operation, 'next'), page, flaws.next)
  }
  return whole
}

async function readWhole(sequence: SequenceRun, list: SharedList): Promise<Whole | undefined> {
  const { path, plural, key } = list
  const exchange = await sequence.get(path)
  const items = listIn(exchange, plural)
  if (items === undefined) return undefined
  // A target may return only a part, and reports that.
  if (metadataIn(exchange)?.next === true) {
    const rest = await sequence.get(`${path}${path.includes('?') ? '&' : '?'}_offset=${items.length}`)
    if (items.length === 0 || listIn(rest, plural)?.length !== 0) return undefined
    const flaw = { received: { next: true }, expected: { next: false } }
    sequence.note(derivedRule(list.operation, 'next'), exchange, flaw)
  }
  return { ids: items.map((item) => String(item[key])), records: items, exchange }
}

/** The deviations of a page from the expected part of the list. */
interface PageFlaws {
  readonly paging?: Flaw | undefined
  readonly next?: Flaw | undefined
}

const isFlawed = ({ paging, next }: PageFlaws) => paging !== undefined || next !== undefined

/** The parameters of a page. */
export interface PageBounds {
  readonly limit?: number | undefined
  readonly offset?: number | undefined
}

/** The expected part of a list. */
export function partOf<Item>(whole: readonly Item[], { limit, offset = 0 }: PageBounds): Item[] {
  return whole.slice(offset, limit === undefined ? whole.length : offset + limit)
}

/** Compares a page with the whole list. */
export function comparePage(
  page: Exchange,
  { plural, key }: Pick<SharedList, 'plural' | 'key'>,
  whole: readonly string[],
  bounds: PageBounds,
  pageSizes: PageSizes,
): PageFlaws {
  const { limit, offset = 0 } = bounds
  const items = listIn(page, plural)
  // The meaning of a limit of 0 is not specified (`default-limit`), nor the reply past the end.
  if (page.error !== undefined && (limit === 0 || offset >= whole.length)) return {}
  if (items === undefined) return { paging: { received: errorOf(page), expected: 'a page' } }
  const ids = items.map((item) => String(item[key]))
  const expected = partOf(whole, bounds)
  const next = metadataIn(page)?.next
  // Without a limit, or with one beyond its maximum, a target may return less than the rest, and reports that.
  const isShort = next === true && ids.length > 0 && equal(ids, expected.slice(0, ids.length))
  const isAsExpected =
    isShort && (limit === undefined || pageSizes.fits(limit, ids.length)) ? true : equal(ids, expected)
  if (!isAsExpected) return { paging: { received: ids, expected } }
  const isLast = offset + ids.length >= whole.length
  return { next: unless(limit === 0 || next === !isLast, { next }, { next: !isLast }) }
}
