/** Places in which a browser stores texts: for all pages of an origin, or for one tab of a page. */
const places = {
  all: { storage: () => localStorage, keyOf: (name: string) => `understudy-panel-${name}` },
  tab: {
    storage: () => sessionStorage,
    keyOf: (name: string) => `understudy-panel-${name} ${location.pathname}`,
  },
}
type Place = keyof typeof places

/** Reads a stored text; some pages forbid to store anything. */
export function readStored(name: string, place: Place = 'all'): string | null {
  const { storage, keyOf } = places[place]
  try {
    return storage().getItem(keyOf(name))
  } catch {
    return null
  }
}

/** Stores a text; `null` removes it, and so does one that is too long. */
export function store(name: string, value: string | null, place: Place = 'all'): void {
  const { storage, keyOf } = places[place]
  try {
    storage().removeItem(keyOf(name))
    if (value !== null) storage().setItem(keyOf(name), value)
  } catch {
    // It is chosen anew next time.
  }
}
