/** A storage of the browser; some pages forbid to use it. */
type FindStorage = () => Storage

export function readStored(find: FindStorage, name: string): string | null {
  try {
    return find().getItem(name)
  } catch {
    return null
  }
}

/** Stores a text; removes one that is too long. */
export function store(find: FindStorage, name: string, value: string): void {
  try {
    find().removeItem(name)
    find().setItem(name, value)
  } catch {
    // The user chooses again next time.
  }
}
