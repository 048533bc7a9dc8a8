import { effect, type ReadonlySignal, type Signal, signal } from '@preact/signals'

/** A place in the panel: a view, its open record, and its filters. */
export interface PanelRoute {
  readonly view: string
  readonly rest: readonly string[]
  readonly query: Readonly<Record<string, string>>
}

export interface Routes {
  readonly current: ReadonlySignal<PanelRoute>
  go(address: string): void
  href(address: string): string
  /** Returns the URL of another place with the same filters. */
  filtered(path: string): string
  /** Returns the URL of the same place with other filters. An empty text removes a filter. */
  filter(changes: Readonly<Record<string, string>>): void
  dispose(): void
}

/** Reads `requests/13?errors=yes&world=second` as a route and a world. */
function readAddress(address: string): { readonly route: PanelRoute; readonly world: string | undefined } {
  const [path = '', search = ''] = address.replace(/^#?\/?/, '').split('?')
  const [view = '', ...rest] = path.split('/').map(decode)
  const { world, ...query } = Object.fromEntries(new URLSearchParams(search))
  return { route: { view: view === '' ? 'overview' : view, rest, query }, world }
}

function withQuery(path: string, query: PanelRoute['query']): string {
  const search = new URLSearchParams(query).toString()
  return search === '' ? path : `${path}?${search}`
}

function writeAddress({ view, rest, query }: PanelRoute): string {
  return withQuery([view, ...rest].map(encodeURIComponent).join('/'), query)
}

function decode(text: string): string {
  try {
    return decodeURIComponent(text)
  } catch {
    return text
  }
}

/** Returns the world that the hash of the page's address names. */
export function worldInHash(): string | undefined {
  return readAddress(location.hash).world
}

/** Stores the place and the world in the page's hash; in the page of another application, in memory. */
export function createRoutes(place: 'hash' | 'memory', world: Signal<string>): Routes {
  const current = signal(readAddress(place === 'hash' ? location.hash : '').route)
  const href = (address: string) => {
    if (world.value === 'main') return `#/${address}`
    return `#/${address}${address.includes('?') ? '&' : '?'}${new URLSearchParams({ world: world.value })}`
  }
  const replace = (route: PanelRoute) => history.replaceState(null, '', href(writeAddress(route)))
  const read = () => {
    const { route, world: named = 'main' } = readAddress(location.hash)
    current.value = route
    world.value = named
  }
  const leaving = new AbortController()
  if (place === 'hash') window.addEventListener('hashchange', read, leaving)
  // Shows another world in the same place.
  const stop = effect(() => {
    if (place === 'hash' && world.value !== (worldInHash() ?? 'main')) replace(current.peek())
  })
  const routes: Routes = {
    current,
    go(address) {
      if (place === 'hash') location.hash = href(address)
      else current.value = readAddress(address).route
    },
    href,
    filtered: (path) => withQuery(path, current.value.query),
    filter(changes) {
      const { query, ...route } = current.value
      const filters = Object.entries({ ...query, ...changes }).filter(([, value]) => value !== '')
      const next = { ...route, query: Object.fromEntries(filters) }
      // The Back button does not step through the letters of a filter.
      if (place === 'hash') replace(next)
      current.value = next
    },
    dispose() {
      leaving.abort()
      stop()
    },
  }
  return routes
}
