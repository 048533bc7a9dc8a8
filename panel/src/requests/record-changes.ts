import type { JournalChange } from '../library.ts'

interface AttributeChange {
  readonly name: string
  /** Undefined where there was none. */
  readonly old: unknown
  readonly next: unknown
}

export interface RecordChange {
  readonly plural: string
  readonly key: string
  readonly kind: 'added' | 'removed' | 'changed'
  readonly attributes: readonly AttributeChange[]
}

/** Converts a patch of the state to the change of each record. */
export function readChanges(changes: readonly JournalChange[]): RecordChange[] {
  const found = new Map<string, RecordChange>()
  for (const change of changes) {
    const [, plural = '', key = '', name] = change.path.split('/').map(unescaped)
    const kind = name !== undefined ? 'changed' : change.op === 'remove' ? 'removed' : 'added'
    const id = `${plural}/${key}`
    const record = found.get(id) ?? { plural, key, kind, attributes: [] }
    const attributes = name === undefined ? [] : [{ name, old: change.previous, next: change.value }]
    found.set(id, { ...record, attributes: [...record.attributes, ...attributes] })
  }
  return [...found.values()]
}

function unescaped(part: string): string {
  return part.replaceAll('~1', '/').replaceAll('~0', '~')
}
