import type { ComparedKind } from './relation.ts'
import type { TrackedRecord } from './tracked-records.ts'

type NormalForm = (name: string, uuid: string) => string

/** Forms in which a target may store names. The specification does not define blanks at the edges or combining marks. */
const normalForms: readonly NormalForm[] = [
  (name) => name,
  (name) => name.trim(),
  (name) => name.normalize(),
  (name) => name.trim().normalize(),
]

/** "`name` | Used to generate the uuid; slugified to a safe uuid": a target may show the name of a block in that form. */
const blockForms: readonly NormalForm[] = [...normalForms, (_, uuid) => uuid]

/** The possible forms of names by kind of record. A target uses one form per kind, whichever request writes the name. */
export class NameForms {
  readonly #possible = new Map<ComparedKind, readonly NormalForm[]>()

  /** Excludes the forms that a name does not have; returns whether at least one remains. */
  fits({ kind, keys }: TrackedRecord, sent: string, received: unknown): boolean {
    const known = this.#possible.get(kind) ?? (kind === 'block' ? blockForms : normalForms)
    const possible = known.filter((form) => form(sent, keys.target) === received)
    if (possible.length > 0) this.#possible.set(kind, possible)
    return possible.length > 0
  }
}
