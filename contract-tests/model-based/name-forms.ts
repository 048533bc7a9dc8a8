import type { ComparedKind } from './relation.ts'

type NormalForm = (name: string) => string

/** Forms in which a target may store names. The specification does not define blanks at the edges or combining marks. */
const normalForms: readonly NormalForm[] = [
  (name) => name,
  (name) => name.trim(),
  (name) => name.normalize(),
  (name) => name.trim().normalize(),
]

/** The possible forms of names by kind of record. A target uses one form per kind, whichever request writes the name. */
export class NameForms {
  readonly #possible = new Map<ComparedKind, readonly NormalForm[]>()

  /** Excludes the forms that a name does not have; returns whether at least one remains. */
  fits(kind: ComparedKind, sent: string, received: unknown): boolean {
    const possible = (this.#possible.get(kind) ?? normalForms).filter((form) => form(sent) === received)
    if (possible.length > 0) this.#possible.set(kind, possible)
    return possible.length > 0
  }
}
