import type { Resource, WireRecord } from '../resources/resource.ts'
import * as limits from '../shared/limits.ts'
import { toWords } from '../shared/words.ts'
import type { Table } from './table.ts'

/** Records of a resource that a deletion affects: their number, and the first keys. */
export interface ConcernedRecords {
  readonly plural: string
  readonly count: number
  /** At most 100 keys. */
  readonly keys: readonly string[]
}

/** Effects of a deletion on other records. */
export interface Deletion {
  readonly plural: string
  readonly key: string
  /** Records that require a deleted record: the deletion includes them. */
  readonly along: readonly ConcernedRecords[]
  /** Records that refer to a deleted record, and only lose the attribute with the reference. */
  readonly stays: readonly (ConcernedRecords & { readonly attribute: string })[]
  /** The effects in one sentence. */
  readonly text: string
}

/** Keys of deleted or cleared records, by plural or by plural and attribute. */
type Keys = Map<
  string,
  { readonly resource: Resource; readonly attribute: string; readonly keys: Set<string> }
>

/** Returns the effects of a deletion without deleting anything. */
export function planDeletion(table: Table, found: WireRecord): Deletion {
  const { resource, host } = table
  const { key, record } = table.rowOf(found)
  const gone: Keys = new Map()
  const cleared: Keys = new Map()
  for (const dependant of host.concernedBy(resource, record)) {
    const isGone = dependant.whenDeleted === 'delete'
    const name = isGone ? dependant.resource.plural : `${dependant.resource.plural}/${dependant.attribute}`
    const group = isGone ? gone : cleared
    const known = group.get(name) ?? { ...dependant, keys: new Set() }
    group.set(name, known)
    known.keys.add(dependant.key)
  }
  const along = [...gone.values()].map((each) => ({
    plural: each.resource.plural,
    ...countKeys([...each.keys]),
  }))
  const stays = [...cleared.values()]
    .map(({ keys, ...each }) => {
      // The same deletion may also include a record that loses a reference.
      const staying = [...keys].filter((name) => !gone.get(each.resource.plural)?.keys.has(name))
      return { plural: each.resource.plural, attribute: each.attribute, ...countKeys(staying) }
    })
    .filter(({ count }) => count > 0)
  const nounOf = ({ plural, count }: ConcernedRecords) => {
    const found = [...gone.values(), ...cleared.values()].find((each) => each.resource.plural === plural)
    return `${count} ${toWords((count === 1 && found?.resource.singular) || plural)}`
  }
  const taken = along.length === 0 ? 'takes nothing along' : `takes ${join(along.map(nounOf))} along`
  const left = stays.map(
    (each) => `; ${nounOf(each)} ${each.count === 1 ? 'stays' : 'stay'} without ${toWords(each.attribute)}`,
  )
  const name = (resource.secrets ?? []).includes(resource.key) ? '' : ` ${key}`
  const text = `Deleting the ${toWords(resource.singular)}${name} ${taken}${left.join('')}.`
  return { plural: resource.plural, key, along, stays, text }
}

function countKeys(keys: readonly string[]): Pick<ConcernedRecords, 'count' | 'keys'> {
  return { count: keys.length, keys: keys.slice(0, limits.deletionKeys) }
}

function join(parts: readonly string[]): string {
  return parts.length < 2 ? parts.join('') : `${parts.slice(0, -1).join(', ')} and ${parts.at(-1)}`
}
