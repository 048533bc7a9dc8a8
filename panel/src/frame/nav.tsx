import { ChevronDown, Search } from 'lucide'
import type { ComponentChildren } from 'preact'
import { Glyph } from '../parts/glyph.tsx'
import { Icon, Lamp } from '../parts/icon.tsx'
import { usePanel } from '../store/panel.ts'
import { countOf } from '../store/words.ts'
import { usePurposeCount } from '../wrong/on-purpose.tsx'
import { views } from './views.ts'
import { WorldMenu } from './world-menu.tsx'

/** The column at the left: which world, which view, which records. */
export function Nav({ skip }: { readonly skip: () => void }) {
  const { live, isFinding } = usePanel()
  const { resources, counts, lost } = live
  return (
    <nav class="side" aria-label="Views">
      <button type="button" class="skip" onClick={skip}>
        Skip to content
      </button>
      <div class="brand">
        <Lamp isLit={lost.value === undefined} />
        understudy
      </div>
      <WorldMenu icon={<Icon of={ChevronDown} />} />
      <button type="button" class="find-button" onClick={() => (isFinding.value = true)}>
        <Icon of={Search} />
        Find or do
        <kbd>Ctrl K</kbd>
      </button>
      <ul>
        {views.map(({ view, title, icon }) => {
          const Count = viewCounts[view]
          return (
            <li key={view}>
              <NavLink to={view}>
                <Icon of={icon} />
                {title}
                <Count />
              </NavLink>
            </li>
          )
        })}
      </ul>
      <h2 id="side-records">Records</h2>
      <ul class="side-records" aria-labelledby="side-records">
        {resources.value
          .filter(({ isStored }) => isStored)
          .map(({ plural }) => (
            <li key={plural}>
              <NavLink to={`records/${plural}`}>
                <span class="cut">{plural}</span>
                <span class="count">{counts.value[plural]?.toLocaleString('en')}</span>
              </NavLink>
            </li>
          ))}
      </ul>
    </nav>
  )
}

/** How many there are of what a view shows. */
const viewCounts = { now: NoCount, requests: RequestCount, pipelines: PipelineCount, wrong: PurposeCount }

function NoCount() {
  return null
}

function RequestCount() {
  const { live } = usePanel()
  const errors = live.hiddenErrors.value
  const { length } = live.requests.value
  return (
    <span class="count">
      {errors > 0 && (
        <b class="fail" title={`${countOf(errors, 'error')} under HTTP 200`}>
          <Glyph of="failed" />
          {errors}
          <span class="hidden">{errors === 1 ? ' error' : ' errors'} under HTTP 200, of</span>
        </b>
      )}{' '}
      <span title={countOf(length, 'request')}>{length}</span>
    </span>
  )
}

function PipelineCount() {
  const { live } = usePanel()
  return <span class="count">{live.counts.value.pipelines}</span>
}

function PurposeCount() {
  const count = usePurposeCount()
  return count > 0 ? <span class="count cue">{count}</span> : null
}

function NavLink({ to, children }: { readonly to: string; readonly children: ComponentChildren }) {
  const { routes } = usePanel()
  const { view, rest } = routes.current.value
  const [first, second] = to.split('/')
  const isHere =
    first === (view === 'pipeline' ? 'pipelines' : view) && (second === undefined || second === rest[0])
  return (
    <a
      href={routes.href(to)}
      {...(isHere && { 'aria-current': 'page' as const })}
      onClick={(event) => {
        event.preventDefault()
        routes.go(to)
      }}
    >
      {children}
    </a>
  )
}
