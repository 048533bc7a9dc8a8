import { Menu as MoreIcon } from 'lucide'
import { useEffect, useLayoutEffect, useRef } from 'preact/hooks'
import { Overview } from '../overview/overview.tsx'
import { CloseButton, Glyph, Icon, Link, Nothing } from '../parts/index.ts'
import { usePanel } from '../store/panel.ts'
import { About } from './about.tsx'
import { CallLine } from './call-line.tsx'
import { ClockBar, ClockControls } from './clock-bar.tsx'
import { later, loadLater } from './load-later.ts'
import { FindButton, Nav, RecordLinks, WorldButton } from './nav.tsx'
import { views } from './views.ts'

export function Frame({ isWhole = true }: { readonly isWhole?: boolean }) {
  const { live, routes, dialog } = usePanel()
  // In another application's page, the `main` element belongs to that page.
  const Main = isWhole ? 'main' : 'div'
  const main = useRef<HTMLElement & HTMLDivElement>(null)
  const { view, rest } = routes.current.value
  const shown = useRef(view)
  // A table reads its rows itself, so the frame reads only the list of resources.
  const isReady = live.isReady.value || (view === 'records' && live.resources.value.length > 0)
  useLayoutEffect(() => main.current?.scrollTo({ top: 0 }), [view, rest[0]])
  // After a change of the view by the keyboard, the focus follows.
  useEffect(() => {
    if (shown.current === view) return
    shown.current = view
    main.current?.focus({ preventScroll: true })
  }, [view])
  useEffect(() => void loadLater(), [])
  const { FindOrDo, Shortcuts, Recorder, WorldsDialog } = later.value
  const dialogs = { find: FindOrDo, shortcuts: Shortcuts, recorder: Recorder, worlds: WorldsDialog }
  const Opened = dialog.value && dialogs[dialog.value]
  return (
    <div class="shell">
      <Nav skip={() => main.current?.focus()} />
      <ClockBar />
      <Alert />
      <Main class="main scroll" tabIndex={-1} ref={main}>
        {isReady ? <View /> : <Nothing>Loading world {live.world.value} …</Nothing>}
      </Main>
      <CallLine />
      <Dock />
      {Opened && <Opened />}
    </div>
  )
}

function View() {
  const { live, routes } = usePanel()
  const { view } = routes.current.value
  if (view === 'more') return <More />
  const { Requests, Pipelines, Faults, Records } = later.value
  const contents = { overview: Overview, requests: Requests, pipelines: Pipelines, faults: Faults }
  const known = (views.find((each) => each.view === view) ?? views[0]).view
  const Content = view === 'records' ? Records : contents[known]
  return Content ? <Content /> : <Nothing>Loading world {live.world.value} …</Nothing>
}

/** Shows how long the server has not answered, otherwise the last change from outside. */
function Alert() {
  const { live } = usePanel()
  const { lost, notice } = live
  if (lost.value === undefined && notice.value === undefined) return null
  const since = lost.value && new Date(lost.value).toTimeString().slice(0, 8)
  return (
    <div class="row alert">
      {since && <Glyph of="failed" />}
      <span role="alert">
        {since
          ? `The server has not responded since ${since}. This data is from then. Retrying …`
          : notice.value}
      </span>
      {!since && <CloseButton close={() => (notice.value = undefined)} />}
    </div>
  )
}

/** On a narrow screen, the navigation is at the bottom. */
function Dock() {
  const { routes } = usePanel()
  const { view } = routes.current.value
  return (
    <nav class="dock" aria-label="Views, below">
      {[...views, { view: 'more', icon: MoreIcon, title: 'More' }].map((each) => (
        <Link key={each.view} to={each.view} isCurrent={each.view === view}>
          <Icon of={each.icon} />
          {each.title}
        </Link>
      ))}
    </nav>
  )
}

function More() {
  const { live } = usePanel()
  return (
    <div class="stack more">
      <h1 class="title">More</h1>
      {live.lost.value !== undefined && <Nothing>Actions are disabled until the server responds.</Nothing>}
      <WorldButton />
      <FindButton />
      <ClockControls />
      <CallLine element="section" />
      <h2>Records</h2>
      <RecordLinks />
      <About />
    </div>
  )
}
