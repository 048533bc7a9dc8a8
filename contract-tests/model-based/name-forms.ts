import type { ComparedKind } from './relation.ts'

type NormalForm = (name: string) => string

/** Forms in which a target may store names: no sentence says that blanks at the edges or combining marks are part of one. */
const normalForms: readonly NormalForm[] = [
  (name) => name,
  (name) => name.trim(),
  (name) => name.normalize(),
  (name) => name.trim().normalize(),
]

/** The forms in which a target may store the names of each kind of record: one for all, whichever request writes them. */
export class NameForms {
  readonly #possible = new Map<ComparedKind, readonly NormalForm[]>()

  /** Excludes the forms that a name does not have; returns whether one is left. */
  fits(kind: ComparedKind, sent: string, received: unknown): boolean {
    const possible = (this.#possible.get(kind) ?? normalForms).filter((form) => form(sent) === received)
    if (possible.length > 0) this.#possible.set(kind, possible)
    return possible.length > 0
  }
}
