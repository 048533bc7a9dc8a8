import type { Panel } from '../store/panel.ts'
import { type ClockAct, goToNext, toggleClock } from './clock-acts.ts'
import { views } from './views.ts'

/** The places that `G` and a letter lead to: a view, or with `T` the tables of records. */
const places = new Map<string, string>([
  ...views.map(({ letter, view }) => [letter, view] as const),
  ['t', 'records'],
])

/** Returns whether a key belongs to the focused field. */
function isTyping(target: EventTarget | undefined): boolean {
  return (
    target instanceof HTMLElement &&
    (/^(?:INPUT|TEXTAREA|SELECT)$/.test(target.tagName) || target.isContentEditable)
  )
}

/** Creates the listener for the keys of the panel. */
export function createShortcuts(panel: Panel, root: ShadowRoot): (event: KeyboardEvent) => void {
  const { live, runner, routes, dialog } = panel
  const perform = (given: ClockAct | undefined) =>
    given !== undefined && void runner.perform(given.does, given.message)
  const goToFilter = (event: KeyboardEvent) => {
    const filter = root.querySelector<HTMLInputElement>('.filter input')
    if (filter === null) return
    event.preventDefault()
    filter.focus()
  }
  const copyLast = () => {
    const last = runner.last.value
    if (last !== undefined) panel.copy(runner.textOf(last.act, last.world), 'the call')
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
    if (hasModifier || event.altKey || isTyping(event.composedPath()[0])) return
    const place = isGoing ? places.get(key) : undefined
    const wasGoing = isGoing
    isGoing = !wasGoing && key === 'g'
    if (place !== undefined) {
      event.preventDefault()
      routes.go(place)
    } else if (wasGoing) return
    else if (key === '/') goToFilter(event)
    else if (key === 'n') perform(goToNext(live))
    else if (key === 'f') perform(toggleClock(live))
    else if (key === 'c') copyLast()
    else if (key === '?') dialog.value = 'shortcuts'
  }
}
