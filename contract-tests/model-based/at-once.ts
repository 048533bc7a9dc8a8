// Command of sequences that sends several writes concurrently, and reads their effects.
import { equal, listIn, metadataIn } from '../runner/replies.ts'
import { readAround } from './read-back.ts'
import { type SequenceRun, unless } from './sequence-run.ts'
import { segment } from './tracked-records.ts'
import type { Write } from './write.ts'

/**
 * Sends several writes at once. Some order of them must explain all replies, and the reads afterwards. The reads show the
 * effect of all, so one is enough.
 */
export async function performAtOnce(sequence: SequenceRun, planned: readonly Write[]): Promise<void> {
  const writes = withoutContradictions(planned)
  const [results, listed] = await Promise.all([
    sequence.sendConcurrently(writes),
    listMeanwhile(sequence, writes),
  ])
  let last: Awaited<ReturnType<Write['finish']>> = []
  for (const { write, both } of results) {
    const shown = await write.finish(both, concurrentAttributes(write, writes))
    if (shown.length > 0) last = shown
  }
  listed?.()
  for (const after of last) await readAround(sequence, after)
}

/** Omits writes of an attribute that another one also writes: the last of them is not specified. */
function withoutContradictions(writes: readonly Write[]): Write[] {
  return writes.filter(
    (write, index) =>
      !writes
        .slice(0, index)
        .some(
          (other) =>
            other.touched !== undefined &&
            other.touched === write.touched &&
            attributesOf(other).some((name) => attributesOf(write).includes(name)),
        ),
  )
}

function attributesOf({ sent = {} }: Write): string[] {
  return Object.keys(sent)
}

function concurrentAttributes(write: Write, all: readonly Write[]): ReadonlySet<string> {
  const others = all.filter((other) => other !== write && other.touched === write.touched)
  return new Set(write.touched === undefined ? [] : others.flatMap(attributesOf))
}

/** Lists the backfills of a pipeline during updates of some of them, and checks that the list has all. */
async function listMeanwhile(
  sequence: SequenceRun,
  writes: readonly Write[],
): Promise<(() => void) | undefined> {
  const [home, ...others] = new Set(writes.map(({ touched }) => touched?.home))
  const isUpdate = writes.every(({ request }) => request.method === 'PUT')
  if (home === undefined || others.length > 0 || !isUpdate) return undefined
  // Reads the list after sending the updates, while the target handles them.
  await Promise.resolve()
  const exchange = await sequence.get(`/api/backfills?pipeline_uuid=${segment(home, 'target')}`)
  const ids = listIn(exchange, 'backfills')
    ?.map(({ id }) => String(id))
    .sort()
  return () => {
    if (ids === undefined) return
    const expected = sequence.all('backfill', home).map(({ keys }) => keys.target)
    const isPart = metadataIn(exchange)?.next === true
    const isAsExpected = isPart ? ids.every((id) => expected.includes(id)) : equal(ids, expected.toSorted())
    sequence.note('list-backfills/complete', exchange, unless(isAsExpected, ids, expected))
  }
}
