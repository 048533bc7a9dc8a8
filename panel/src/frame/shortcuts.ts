import { codeOf, curlOf } from '../store/act-code.ts'
import type { Panel } from '../store/panel.ts'
import { type ClockAct, goToNext, turnClock } from './clock-acts.ts'
import { views } from './views.ts'

/** Where `G` and a letter lead: to a view, or with `T` to the tables of records. */
const places = new Map([
  ...views.map(({ letter, view }) => [letter, view] as const),
  ['t', 'records'] as const,
])

/** Tells whether a key is meant for what has the focus. */
function isTyping(target: EventTarget | undefined): boolean {
  return (
    target instanceof HTMLElement &&
    (/^(?:INPUT|TEXTAREA|SELECT)$/.test(target.tagName) || target.isContentEditable)
  )
}

/** Hears the keys of the panel. */
export function createShortcuts(panel: Panel, root: ShadowRoot): (event: KeyboardEvent) => void {
  const { live, runner, routes, origin } = panel
  const perform = (given: ClockAct | undefined) =>
    given !== undefined && void runner.perform(given.does, given.says)
  let isGoing = false
  return (event) => {
    const [target] = event.composedPath()
    if ((event.metaKey || event.ctrlKey) && !event.altKey && event.key.toLowerCase() === 'k') {
      event.preventDefault()
      panel.isFinding.value = !panel.isFinding.value
      return
    }
    if (event.metaKey || event.ctrlKey || event.altKey || isTyping(target)) return
    const key = event.key.toLowerCase()
    if (isGoing) {
      isGoing = false
      const place = places.get(key)
      if (place === undefined) return
      event.preventDefault()
      return routes.go(place)
    }
    if (key === 'g') isGoing = true
    else if (key === '/') {
      const filter = root.querySelector<HTMLInputElement>('.filter input')
      if (filter === null) return
      event.preventDefault()
      filter.focus()
    } else if (key === 'n') perform(goToNext(live))
    else if (key === 'f') perform(turnClock(live))
    else if (key === 'c') {
      const last = runner.last.value
      if (last === undefined) return
      const isCurl = runner.language.value === 'curl'
      const { act: chosen, world } = last
      panel.copy(isCurl ? curlOf(chosen, world, origin) : `await ${codeOf(chosen, world)}`, 'the call')
    }
  }
}
