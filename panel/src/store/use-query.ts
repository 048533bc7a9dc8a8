import { useEffect, useLayoutEffect, useRef, useState } from 'preact/hooks'
import type { JournalEntry, PagedRecords, RowOptions, WorldSummary } from '../library.ts'
import { requestReader } from './live.ts'
import { usePanel } from './panel.ts'
import type { LivePart, Read } from './query.ts'
import { type AnyRecord, type RowOf, tableOf } from './table.ts'
import { byName } from './words.ts'

type PageOptions = RowOptions<AnyRecord> & { readonly limit?: number }

/**
 * Reads a part of the world, and again after each change of it. `detail` contains everything that `read` depends on.
 * Returns the previous result until there is a new one.
 */
export function useQuery<Value>(
  part: LivePart,
  detail: readonly unknown[],
  read: Read<Value>,
): Value | undefined {
  const { live } = usePanel()
  const query = live.query(part, detail, read)
  const last = useRef<Value | undefined>(undefined)
  // Before the browser paints, so that the request is sent one frame earlier.
  useLayoutEffect(() => query.watch(), [query])
  last.current = query.answer.value ?? last.current
  return last.current
}

/** Returns the requests of the world, newest first, with their details if needed. */
export function useRequests(needsDetails: boolean): readonly JournalEntry[] {
  const { live } = usePanel()
  const detailed = useQuery(
    'requests',
    [needsDetails],
    needsDetails ? requestReader({ details: true }) : () => [],
  )
  return needsDetails ? (detailed ?? []) : live.requests.value
}

/** Returns a request with its details; null if the journal stores it no longer. */
export function useRequest(sequence: number): JournalEntry | null | undefined {
  return useQuery('requests', ['one', sequence], async ({ journal }) => {
    const [entry] = await journal.entries({ sequence })
    return entry ?? null
  })
}

export function useWorlds(): readonly WorldSummary[] {
  const { live } = usePanel()
  const worlds = useQuery('worlds', [], () => live.controls.worlds.list()) ?? []
  // The present world has the number of requests in its list.
  const { length } = live.requests.value
  return worlds
    .map((each) => (each.name === live.world.value ? { ...each, requests: length } : each))
    .sort(
      (one, other) =>
        Number(other.name === 'main') - Number(one.name === 'main') || byName.compare(one.name, other.name),
    )
}

export function useWorld(): WorldSummary | undefined {
  const { live } = usePanel()
  return useWorlds().find(({ name }) => name === live.world.value)
}

/** Returns all records of a small resource. */
export function useTable<Plural extends string>(plural: Plural): readonly RowOf<Plural>[] | undefined {
  return useQuery(`records/${plural}`, [], (of) => tableOf(of, plural).all())
}

export function useCount(plural: string): number | undefined {
  return useQuery(`records/${plural}`, ['count'], (of) => tableOf(of, plural).count())
}

export function usePage<Plural extends string>(
  plural: Plural,
  options: PageOptions,
): PagedRecords<RowOf<Plural>> | undefined {
  return useQuery(`records/${plural}`, ['page', options], (of) => tableOf(of, plural).page(options))
}

export function useSnapshots(): readonly string[] {
  const names = useQuery('snapshots', [], (of) => of.snapshots()) ?? []
  return names.filter((name) => !name.startsWith('before-the-last'))
}

/** Returns a typed text after a pause, so that no key by itself causes a request. */
export function useDebounced(text: string): string {
  const [debounced, setDebounced] = useState(text)
  useEffect(() => {
    const timer = setTimeout(() => setDebounced(text), 100)
    return () => clearTimeout(timer)
  }, [text])
  return debounced
}
