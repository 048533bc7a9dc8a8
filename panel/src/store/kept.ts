const prefix = 'understudy-panel-'

/** What this browser keeps of the panel's own; some pages forbid to keep anything. */
export function readKept(name: string): string | null {
  try {
    return localStorage.getItem(prefix + name)
  } catch {
    return null
  }
}

/** Keeps something for the next time; `null` to forget it. */
export function keep(name: string, value: string | null): void {
  try {
    if (value === null) localStorage.removeItem(prefix + name)
    else localStorage.setItem(prefix + name, value)
  } catch {
    // It is chosen anew next time.
  }
}
