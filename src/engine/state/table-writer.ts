import { customKeyOf } from '../../factories/export.ts'
import type { Store } from '../../factories/store.ts'
import type { Resource, WireRecord } from '../../resources/resource.ts'
import type { Slices } from '../../shared/slices.ts'
import type { TableEntry } from './state-format.ts'
import { type StateLine, toLine } from './state-lines.ts'

/** About how many characters of records stand in one line. */
const pieceLength = 16_384
/** A line that is shorter is written anew with what stands beside it, so that lines do not become ever more. */
const shortest = pieceLength / 4

/** Records that follow one another in a table, as they are written. */
interface Piece extends StateLine {
  readonly id: number
  readonly records: readonly WireRecord[]
}

/** What a table held at a moment, and its lines when they have been written. */
export interface KeptTable {
  readonly id: number
  readonly revision: number
  readonly entry: Omit<TableEntry, 'pieces'>
  /** Until they are written. */
  records: readonly WireRecord[]
  written: WrittenTable | undefined
}

interface WrittenTable {
  readonly line: StateLine
  readonly pieces: readonly Piece[]
}

/** Writes tables again and again: of one that has changed, only the pieces that hold what has changed. */
export class TableWriter {
  readonly #tables = new WeakMap<Store, KeptTable>()
  /** The pieces that begin with a record. It is the same record wherever it stands: in another world, in a snapshot. */
  #pieces = new Map<WireRecord, Piece>()
  /** How many bytes of records have been made into text. */
  made = 0
  #nextTable = 0
  #nextPiece = 0

  /** Looks at tables: what they hold now is written later. */
  lookAt(stores: ReadonlyMap<string, Store>, resources: readonly Resource[]): KeptTable[] {
    return [...stores].map(([plural, store]) => {
      const before = this.#tables.get(store)
      if (before?.revision === store.revision) return before
      const resource = resources.find((candidate) => candidate.plural === plural)
      const customKey = resource && customKeyOf(resource)
      const id = this.#nextTable++
      const table: KeptTable = {
        id,
        revision: store.revision,
        entry: {
          id,
          resource: plural,
          ...(customKey !== undefined && { customKey }),
          nextId: store.nextId,
        },
        records: store.rows.items.map(({ record }) => record),
        written: undefined,
      }
      this.#tables.set(store, table)
      return table
    })
  }

  /** The lines of a table that was looked at. */
  *write(table: KeptTable): Slices<WrittenTable> {
    if (table.written !== undefined) return table.written
    const pieces = yield* this.#writeRecords(table.records)
    const entry: TableEntry = { ...table.entry, pieces: pieces.map(({ id }) => id) }
    table.written = { line: toLine(JSON.stringify(entry)), pieces }
    table.records = []
    return table.written
  }

  /** Forgets all pieces but those that have just been written: nobody has the records of the others. */
  keepOnly(pieces: ReadonlySet<StateLine>): void {
    // Made anew, and not a weak map, which the collector would have to look through again and again.
    this.#pieces = new Map([...this.#pieces].filter(([, piece]) => pieces.has(piece)))
  }

  *#writeRecords(records: readonly WireRecord[]): Slices<Piece[]> {
    const pieces: Piece[] = []
    let begin = 0
    let texts: string[] = []
    let length = 0
    const finish = (end: number) => {
      if (texts.length > 0) pieces.push(this.#createPiece(records.slice(begin, end), texts))
      texts = []
      length = 0
      begin = end
    }
    let index = 0
    for (let record = records[0]; record !== undefined; record = records[index]) {
      const known = this.#pieces.get(record)
      if (known !== undefined && known.bytes.length >= shortest && stands(known.records, records, index)) {
        finish(index)
        pieces.push(known)
        index += known.records.length
        begin = index
      } else {
        const text = JSON.stringify(record)
        texts.push(text)
        length += text.length
        index += 1
        if (length >= pieceLength) finish(index)
      }
      if (texts.length === 0) yield
    }
    finish(records.length)
    return pieces
  }

  #createPiece(records: readonly WireRecord[], texts: readonly string[]): Piece {
    const id = this.#nextPiece++
    const piece = { id, records, ...toLine(`{"id":${id},"records":[${texts.join(',')}]}`) }
    const [first] = records
    if (first !== undefined) this.#pieces.set(first, piece)
    this.made += piece.bytes.length
    return piece
  }
}

/** Whether a piece stands in a list at a place. */
function stands(piece: readonly WireRecord[], records: readonly WireRecord[], at: number): boolean {
  for (let index = 0; index < piece.length; index++) {
    if (piece[index] !== records[at + index]) return false
  }
  return true
}
