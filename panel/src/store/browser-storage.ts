const prefix = 'understudy-panel-'

/** Reads what this browser stores for the panel; some pages forbid to store anything. */
export function readStored(name: string): string | null {
  try {
    return localStorage.getItem(prefix + name)
  } catch {
    return null
  }
}

/** Stores something for the next time; `null` removes it. */
export function store(name: string, value: string | null): void {
  try {
    if (value === null) localStorage.removeItem(prefix + name)
    else localStorage.setItem(prefix + name, value)
  } catch {
    // It is chosen anew next time.
  }
}
