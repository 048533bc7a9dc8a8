const prefix = 'understudy-panel-'
/** The name of what is stored for one page alone: another server may have the same origin. */
const ofPage = (name: string) => `${prefix}${name} ${location.pathname}`

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

/** Reads what this browser tab stores for the panel of this page. */
export function readFromTab(name: string): string | null {
  try {
    return sessionStorage.getItem(ofPage(name))
  } catch {
    return null
  }
}

/** Stores something as long as this browser tab is open. */
export function storeInTab(name: string, value: string): void {
  try {
    sessionStorage.setItem(ofPage(name), value)
  } catch {
    // It is too long, or the page may store nothing.
    sessionStorage?.removeItem(ofPage(name))
  }
}
