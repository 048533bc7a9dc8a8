/** A storage of the browser; some pages forbid to use it. */
type FindStorage = () => Storage

export function readStored(find: FindStorage, name: string): string | null {
  try {
    return find().getItem(name)
  } catch {
    return null
  }
}

/** Stores a text; one that is too long is removed. */
export function store(find: FindStorage, name: string, value: string): void {
  try {
    find().removeItem(name)
    find().setItem(name, value)
  } catch {
    // It is chosen anew next time.
  }
}
