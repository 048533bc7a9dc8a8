import type { ComparedKind } from '../model-based/relation.ts'
import type { TrackedRecord } from '../model-based/tracked-records.ts'
import type { OperationId } from '../rules/operation-id.ts'
import type { ReceivedRecord } from '../runner/replies.ts'

/** Milliseconds for which a record must show its last known values. Later, others may have changed it. */
const heldFor = 60_000

/** Returns whether a reply showed something so recently that its values are still expected. */
export function isRecent({ seenAt }: { readonly seenAt: number }, at: number): boolean {
  return at - seenAt <= heldFor
}

/** Maximum number of stored records. A new one evicts the oldest. */
const mostRecords = 20_000

/** A write in the recording, and whether the server refused it. */
export interface SeenWrite {
  readonly by: OperationId
  readonly isRefused: boolean
  readonly at: number
}

/** A record as far as replies have shown it. */
export interface KnownRecord extends TrackedRecord {
  /** Attributes with the values that they should have. */
  values: ReceivedRecord
  /** When it was last shown or written. */
  seenAt: number
  /** The last write to it. */
  lastWrite: SeenWrite | undefined
  /** The requests that led to these values. */
  steps: readonly string[]
}

/** The known records of one server. */
export class KnownRecords {
  readonly #records = new Map<string, KnownRecord>()
  readonly #byHome = new Map<string, Set<KnownRecord>>()
  readonly #homes = new Map<string, TrackedRecord>()
  /** New blocks whose uuid no reply has shown, by pipeline. */
  readonly #unnamed = new Map<string, KnownRecord[]>()

  find(kind: ComparedKind, key: unknown, home: string | undefined): KnownRecord | undefined {
    return this.#records.get(nameOf(kind, key, home))
  }

  /** The known records of a kind that belong to a pipeline, or all. */
  of(kind: ComparedKind, home: string | undefined): Iterable<KnownRecord> {
    return this.#byHome.get(`${kind} ${home ?? ''}`) ?? []
  }

  /** Adds a record that was not known, or is another one under the same key. */
  add(
    kind: ComparedKind,
    key: unknown,
    home: string | undefined,
    values: ReceivedRecord,
    at: number,
  ): KnownRecord {
    const name = nameOf(kind, key, home)
    this.#remove(name)
    const known = newRecord(
      kind,
      String(key),
      home === undefined ? undefined : this.pipeline(home),
      values,
      at,
    )
    this.#records.set(name, known)
    for (const scope of scopesOf(kind, home)) {
      const records = this.#byHome.get(scope) ?? new Set()
      this.#byHome.set(scope, records.add(known))
    }
    const [oldest] = this.#records.keys()
    if (this.#records.size > mostRecords && oldest !== undefined) this.#remove(oldest)
    return known
  }

  /** Adds a record whose key the reply does not contain. */
  addUnnamed(kind: ComparedKind, home: string, values: ReceivedRecord, at: number): KnownRecord {
    const known = newRecord(kind, '', this.pipeline(home), values, at)
    if (kind !== 'block') return known
    const others = this.#unnamed.get(home)?.filter((other) => other.values.name !== values.name) ?? []
    this.#unnamed.set(home, [...others, known])
    return known
  }

  /** Returns the new block whose uuid this record shows first. */
  named(kind: ComparedKind, record: ReceivedRecord, home: string | undefined): KnownRecord | undefined {
    const unnamed = kind === 'block' && home !== undefined ? this.#unnamed.get(home) : undefined
    const created = unnamed?.find(({ values }) => values.name === record.name)
    if (created === undefined) return undefined
    unnamed?.splice(unnamed.indexOf(created), 1)
    const { values, seenAt, written, lastWrite, steps } = created
    return Object.assign(this.add(kind, record.uuid, home, values, seenAt), { written, lastWrite, steps })
  }

  /** Discards the new blocks of a pipeline, or all, whose uuid no reply has shown; returns those of the pipeline. */
  discardUnnamed(home: string | undefined): readonly KnownRecord[] {
    if (home === undefined) {
      this.#unnamed.clear()
      return []
    }
    const blocks = this.#unnamed.get(home) ?? []
    this.#unnamed.delete(home)
    return blocks
  }

  /** Returns a pipeline for the relations, even if no reply has shown its record. */
  pipeline(uuid: string): TrackedRecord {
    const known = this.#records.get(nameOf('pipeline', uuid, undefined))
    if (known !== undefined) return known
    const stored = this.#homes.get(uuid)
    if (stored !== undefined) return stored
    const pipeline = { ...newRecord('pipeline', uuid, undefined, {}, 0), isTouched: true }
    if (this.#homes.size >= mostRecords) this.#homes.clear()
    this.#homes.set(uuid, pipeline)
    return pipeline
  }

  /** Discards one record: something may have changed it unseen. */
  discard(known: KnownRecord): void {
    this.#remove(nameOf(known.kind, known.keys.target, known.home?.keys.target))
  }

  /** Discards every record that belongs to a pipeline, or every record. */
  discardMembers(home: string | undefined): void {
    for (const known of [...this.#records.values()])
      if (home === undefined || known.home?.keys.target === home) this.discard(known)
  }

  #remove(name: string): void {
    const known = this.#records.get(name)
    if (known === undefined) return
    this.#records.delete(name)
    for (const scope of scopesOf(known.kind, known.home?.keys.target)) {
      const records = this.#byHome.get(scope)
      records?.delete(known)
      if (records?.size === 0) this.#byHome.delete(scope)
    }
  }
}

/** Creates a record from a reply. */
function newRecord(
  kind: ComparedKind,
  key: string,
  home: TrackedRecord | undefined,
  values: ReceivedRecord,
  at: number,
): KnownRecord {
  return {
    kind,
    keys: { model: key, target: key },
    home,
    // A run belongs to a schedule.
    ...(Object.hasOwn(values, 'pipeline_schedule_id') &&
      kind === 'run' && {
        schedule: newRecord('schedule', String(values.pipeline_schedule_id), home, {}, at),
      }),
    created: { sent: Number.NEGATIVE_INFINITY, received: Number.POSITIVE_INFINITY },
    written: {},
    isGone: false,
    isTouched: false,
    chosen: new Map(),
    values,
    seenAt: at,
    lastWrite: undefined,
    steps: [],
  }
}

function scopesOf(kind: ComparedKind, home: string | undefined): string[] {
  return home === undefined ? [`${kind} `] : [`${kind} `, `${kind} ${home}`]
}

/** Only the uuids of blocks are unique within their pipeline alone. */
function nameOf(kind: ComparedKind, key: unknown, home: string | undefined): string {
  return kind === 'block' ? `block ${home} ${key}` : `${kind} ${key}`
}
