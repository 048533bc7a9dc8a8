import type { JournalChange } from '../../../src/engine/journal/journal-entry.ts'

/** What became of a record: made, gone, or changed attribute by attribute. */
export interface RecordDiff {
  readonly plural: string
  readonly key: string
  readonly kind: 'added' | 'removed' | 'changed'
  readonly attributes: readonly {
    readonly name: string
    readonly old: unknown
    readonly next: unknown
    readonly hasOld: boolean
  }[]
}

/** Folds a patch of the state into what became of each record. */
export function readChanges(changes: readonly JournalChange[]): RecordDiff[] {
  const found = new Map<string, RecordDiff & { attributes: RecordDiff['attributes'][number][] }>()
  for (const change of changes) {
    const [, plural = '', key = '', attribute] = change.path.split('/').map(unescaped)
    const id = `${plural}/${key}`
    const kind =
      attribute !== undefined ? 'changed' : change.op === 'remove' ? ('removed' as const) : ('added' as const)
    if (!found.has(id)) found.set(id, { plural, key, kind, attributes: [] })
    if (attribute === undefined) continue
    found.get(id)!.attributes.push({
      name: attribute,
      old: change.previous,
      next: change.value,
      hasOld: 'previous' in change,
    })
  }
  return [...found.values()]
}

function unescaped(part: string): string {
  return part.replaceAll('~1', '/').replaceAll('~0', '~')
}
