import { Corner } from './corner/corner.tsx'
import { Frame } from './frame/frame.tsx'
import type { Controls } from './library.ts'
import { type MountedPanel, mountAt, type PanelOptions } from './mount.tsx'

/**
 * Shows a mock, in this page or elsewhere: worlds, records, pipelines, requests, the clock and faults. It renders in a
 * shadow root, so styles of the page and of the panel do not affect each other.
 *
 * @throws where there is no document.
 * @example
 * mountPanel(understudy, { element: document.querySelector('#panel')! })
 */
export function mountPanel(understudy: Controls, options: PanelOptions = {}): MountedPanel {
  const view = options.element === undefined ? <Corner hotkey={options.hotkey} /> : <Frame />
  return mountAt(options.origin ?? location.origin, understudy, options, view)
}
