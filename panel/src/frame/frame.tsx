import { useEffect, useRef } from 'preact/hooks'
import { Now } from '../now/now.tsx'
import { Pipelines } from '../pipeline/pipelines.tsx'
import { Records } from '../records/records.tsx'
import { Requests } from '../requests/requests.tsx'
import { usePanel } from '../store/panel.ts'
import { Wrong } from '../wrong/wrong.tsx'
import { CallLine } from './call-line.tsx'
import { ClockBar } from './clock-bar.tsx'
import { Dock } from './dock.tsx'
import { FindOrDo } from './find-or-do.tsx'
import { LostBar } from './lost-bar.tsx'
import { More } from './more.tsx'
import { Nav } from './nav.tsx'
import { views } from './views.ts'

/** The panel as a whole: views at the left, time above, calls below, and what one looks at. */
export function Frame({ isWhole = true }: { readonly isWhole?: boolean }) {
  const { live, routes, isFinding } = usePanel()
  // In a page of somebody else's, its own main is the page's.
  const Main = isWhole ? 'main' : 'div'
  const main = useRef<HTMLElement & HTMLDivElement>(null)
  const { view } = routes.current.value
  const shown = useRef(view)
  // A table asks for its rows itself, and needs to know no more than what resources there are.
  const isReady = live.isReady.value || (view === 'records' && live.resources.value.length > 0)
  // Who goes to another view by the keyboard goes on there.
  useEffect(() => {
    if (shown.current === view) return
    shown.current = view
    main.current?.focus({ preventScroll: true })
  }, [view])
  const closeFinding = () => {
    if (!isFinding.peek()) return
    isFinding.value = false
    main.current?.focus({ preventScroll: true })
  }
  return (
    <div class={`shell${live.lost.value === undefined ? '' : ' gone'}`}>
      <Nav skip={() => main.current?.focus()} />
      <ClockBar />
      <LostBar />
      <Main class="main" id="main" tabIndex={-1} ref={main}>
        {isReady ? <View /> : <p class="nothing waiting">Looking at world {live.world.value} …</p>}
      </Main>
      <CallLine />
      <Dock />
      {isFinding.value && <FindOrDo close={closeFinding} />}
    </div>
  )
}

/** What each view of the navigation shows. */
const contents = { now: Now, requests: Requests, pipelines: Pipelines, wrong: Wrong }

function View() {
  const { routes } = usePanel()
  const { view } = routes.current.value
  if (view === 'more') return <More />
  if (view === 'records') return <Records />
  const known = views.find((each) => each.view === view) ?? views[0]
  const Known = contents[known.view]
  return <Known />
}
