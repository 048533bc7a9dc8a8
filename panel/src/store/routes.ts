import { type ReadonlySignal, signal } from '@preact/signals'

/** A place in the panel: a view, what is opened in it, and how it is filtered. */
export interface PanelRoute {
  readonly view: string
  readonly rest: readonly string[]
  readonly query: Readonly<Record<string, string>>
}

export interface Routes {
  readonly current: ReadonlySignal<PanelRoute>
  go(address: string): void
  /** The address of a place, for a link. */
  href(address: string): string
  /** The same place with other filters; an empty text takes one away. */
  filter(changes: Readonly<Record<string, string>>): void
  dispose(): void
}

/** `requests/13?errors=yes` as a route. */
function readAddress(address: string): PanelRoute {
  const [path = '', search = ''] = address.replace(/^#?\/?/, '').split('?')
  const [view = '', ...rest] = path.split('/').map(decode)
  return {
    view: view === '' ? 'overview' : view,
    rest,
    query: Object.fromEntries(new URLSearchParams(search)),
  }
}

function writeAddress({ view, rest, query }: PanelRoute): string {
  const search = new URLSearchParams(query).toString()
  return [view, ...rest].map(encodeURIComponent).join('/') + (search === '' ? '' : `?${search}`)
}

function decode(text: string): string {
  try {
    return decodeURIComponent(text)
  } catch {
    return text
  }
}

/** Keeps the place in the page's hash; in somebody else's page, in memory. */
export function createRoutes(place: 'hash' | 'memory'): Routes {
  const current = signal(readAddress(place === 'hash' ? location.hash : ''))
  const read = () => {
    current.value = readAddress(location.hash)
  }
  if (place === 'hash') window.addEventListener('hashchange', read)
  const routes: Routes = {
    current,
    go(address) {
      if (place === 'hash') location.hash = `#/${address}`
      else current.value = readAddress(address)
    },
    href: (address) => `#/${address}`,
    filter(changes) {
      const { query, ...route } = current.value
      const filters = Object.entries({ ...query, ...changes }).filter(([, value]) => value !== '')
      const next = { ...route, query: Object.fromEntries(filters) }
      // What is typed into a filter is no place to go back to.
      if (place === 'hash') history.replaceState(null, '', `#/${writeAddress(next)}`)
      current.value = next
    },
    dispose: () => window.removeEventListener('hashchange', read),
  }
  return routes
}
