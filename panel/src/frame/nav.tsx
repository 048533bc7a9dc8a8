import { ChevronDown, Layers2, Search } from 'lucide'
import { useFaultCount } from '../faults/active-faults.tsx'
import { Icon, Lamp, Link, RecordCount } from '../parts/index.ts'
import { HiddenErrors } from '../requests/request-row.tsx'
import { usePanel } from '../store/panel.ts'
import { requestCount } from '../store/words.ts'
import { About } from './about.tsx'
import { views } from './views.ts'

export function Nav({ skip }: { readonly skip: () => void }) {
  const { live, routes } = usePanel()
  const route = routes.current.value
  return (
    <nav class="side scroll" aria-label="Views">
      <button type="button" class="skip" onClick={skip}>
        Skip to content
      </button>
      <div class="row brand">
        <Lamp isLit={live.lost.value === undefined} />
        understudy
      </div>
      <WorldButton />
      <FindButton />
      <ul>
        {views.map(({ view, title, icon }) => {
          const Count = viewCounts[view]
          return (
            <li key={view}>
              <Link to={view} as="row item" isCurrent={view === route.view}>
                <Icon of={icon} />
                {title}
                <Count />
              </Link>
            </li>
          )
        })}
      </ul>
      <RecordLinks />
      <About />
    </nav>
  )
}

export function WorldButton() {
  const { live, dialog } = usePanel()
  const world = live.world.value
  return (
    <button
      type="button"
      class="row input"
      aria-label={`World ${world}`}
      onClick={() => (dialog.value = 'worlds')}
    >
      <Icon of={Layers2} />
      <b class="cut stretch">{world}</b>
      <Icon of={ChevronDown} />
    </button>
  )
}

export function FindButton() {
  const { dialog } = usePanel()
  return (
    <button type="button" class="row item find-button" onClick={() => (dialog.value = 'find')}>
      <Icon of={Search} />
      Find or do
      <kbd class="push">Ctrl K</kbd>
    </button>
  )
}

export function RecordLinks() {
  const { live, routes } = usePanel()
  const { view, rest } = routes.current.value
  return (
    <>
      <h2 id="side-records" class="label">
        Records
      </h2>
      <ul aria-labelledby="side-records">
        {live.resources.value
          .filter(({ isStored }) => isStored)
          .map(({ plural }) => (
            <li key={plural}>
              <Link
                to={`records/${plural}`}
                as="row item mono"
                isCurrent={view === 'records' && rest[0] === plural}
              >
                <span class="cut">{plural}</span>
                <RecordCount plural={plural} />
              </Link>
            </li>
          ))}
      </ul>
    </>
  )
}

const viewCounts = {
  overview: () => null,
  requests: RequestCount,
  pipelines: () => <RecordCount plural="pipelines" />,
  faults: FaultCount,
}

function RequestCount() {
  const { live } = usePanel()
  const { length } = live.requests.value
  return (
    <span class="row count">
      <HiddenErrors /> {requestCount(length)}
    </span>
  )
}

function FaultCount() {
  const count = useFaultCount()
  return count > 0 ? <span class="count cue">{count}</span> : null
}
