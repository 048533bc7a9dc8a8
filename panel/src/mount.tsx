import { signal } from '@preact/signals'
import { type ComponentChildren, render } from 'preact'
import { createShortcuts } from './frame/shortcuts.ts'
import type { Controls } from './library.ts'
import { Live } from './store/live.ts'
import { type Panel, PanelContext } from './store/panel.ts'
import { createRoutes, worldInHash } from './store/routes.ts'
import { ActRunner } from './store/runner.ts'
import sheet from './styles/index.css'

export interface PanelOptions {
  /** The first world on display. Default `main`. */
  readonly world?: string
  /** The element that the panel fills. Default: a sheet in the corner of the page. */
  readonly element?: Element
  /** Its height there, as CSS writes it. Default `100dvh`: that of the window. */
  readonly height?: string
  /** True to store the view in the hash of the page's address. Default: true in an element. */
  readonly hash?: boolean
  /** The keys that open and close the sheet in the corner. Default `Ctrl+Shift+U`; `false` for none. */
  readonly hotkey?: string | false
  /** The address that copied commands name. Default: the page's origin. */
  readonly origin?: string
}

export interface MountedPanel {
  /** Removes the panel; the mock and its state stay. */
  unmount(): void
}

/**
 * Renders the panel in a shadow root: the `view` in an element, else in the corner of the page; `docs` is the address of the
 * API documentation.
 */
export function mountAt(
  origin: string,
  understudy: Controls,
  options: PanelOptions,
  view: ComponentChildren,
  docs?: string,
): MountedPanel {
  const { world = 'main', element, height, hash = element !== undefined } = options
  const host = document.createElement('div')
  const root = host.attachShadow({ mode: 'open' })
  const styles = new CSSStyleSheet()
  styles.replaceSync(sheet)
  root.adoptedStyleSheets = [styles]
  const live = new Live(understudy, (hash ? worldInHash() : undefined) ?? world)
  const runner = new ActRunner(live, origin, hash)
  const routes = createRoutes(hash ? 'hash' : 'memory', live.world)
  const dialog: Panel['dialog'] = signal(undefined)
  const panel: Panel = {
    live,
    runner,
    routes,
    origin,
    docs,
    dialog,
    closeDialog() {
      dialog.value = undefined
    },
    copy(text, what) {
      navigator.clipboard.writeText(text).then(
        () => {
          runner.message.value = { text: `Copied ${what}.` }
        },
        () => runner.refuse('The browser does not allow this page to copy.'),
      )
    },
  }
  const place = document.createElement('div')
  place.className = element === undefined ? 'panel in-corner' : 'panel'
  if (height !== undefined) place.style.height = height
  // A panel that is the whole page handles all keys; one in another page handles the keys inside it.
  const target: GlobalEventHandlers = element === document.body ? document : place
  const onKeyDown = createShortcuts(panel, root)
  const unmounting = new AbortController()
  target.addEventListener('keydown', onKeyDown, unmounting)
  root.append(place)
  ;(element ?? document.body).append(host)
  render(<PanelContext.Provider value={panel}>{view}</PanelContext.Provider>, place)
  return {
    unmount() {
      unmounting.abort()
      render(null, place)
      live.dispose()
      routes.dispose()
      host.remove()
    },
  }
}
