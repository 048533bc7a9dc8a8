import type { Panel } from '../store/panel.ts'
import type { Action } from '../store/runner.ts'
import { goToNext, toggleClock } from './clock-acts.ts'
import { views } from './views.ts'

/** The destinations of `G` and a letter: a view, or with `T` the tables of records. */
const places = new Map<string, string>([
  ...views.map(({ letter, view }) => [letter, view] as const),
  ['t', 'records'],
])

function isTyping(target: EventTarget | undefined): boolean {
  return (
    target instanceof HTMLElement &&
    (/^(?:INPUT|TEXTAREA|SELECT)$/.test(target.tagName) || target.isContentEditable)
  )
}

export function createShortcuts(panel: Panel, root: ShadowRoot): (event: KeyboardEvent) => void {
  const { live, runner, routes, dialog } = panel
  const perform = (action: Action | undefined) => action && void runner.perform(action)
  const keys: Readonly<Record<string, () => void>> = {
    '/': () => root.querySelector<HTMLInputElement>('.filter input')?.focus(),
    '?': () => (dialog.value = 'shortcuts'),
    n: () => perform(goToNext(live)),
    f: () => perform(toggleClock(live)),
    c() {
      const last = runner.last.value
      if (last !== undefined) panel.copy(runner.textOf(last.act, last.world), 'the call')
    },
  }
  let isGoing = false
  return (event) => {
    const key = event.key.toLowerCase()
    const hasModifier = event.metaKey || event.ctrlKey
    if (hasModifier && !event.altKey && key === 'k') {
      event.preventDefault()
      dialog.value = dialog.value === 'find' ? undefined : 'find'
      return
    }
    // Letters typed before a dialog has loaded are meant for it.
    if (dialog.value !== undefined || hasModifier || event.altKey || isTyping(event.composedPath()[0])) return
    const place = places.get(key)
    const go = place === undefined ? undefined : () => routes.go(place)
    const press = isGoing ? go : keys[key]
    isGoing = !isGoing && key === 'g'
    if (press === undefined) return
    event.preventDefault()
    press()
  }
}
