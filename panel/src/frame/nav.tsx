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
        {views.map(({ view, title, icon }) => (
          <li key={view}>
            <Link to={view} as="row item" isCurrent={view === route.view}>
              <Icon of={icon} />
              {title}
              <ViewCount of={view} />
            </Link>
          </li>
        ))}
      </ul>
      <h2 class="label">Records</h2>
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
  const stored = live.resources.value.filter(({ isStored }) => isStored)
  return (
    <ul aria-label="Records">
      {stored.map(({ plural }) => {
        const isCurrent = view === 'records' && rest[0] === plural
        return (
          <li key={plural}>
            <Link to={`records/${plural}`} as="row item mono" isCurrent={isCurrent}>
              <span class="cut">{plural}</span>
              <RecordCount plural={plural} />
            </Link>
          </li>
        )
      })}
    </ul>
  )
}

function ViewCount({ of }: { readonly of: string }) {
  const { live } = usePanel()
  const faults = useFaultCount()
  if (of === 'pipelines') return <RecordCount plural="pipelines" />
  if (of === 'faults' && faults > 0) return <span class="count cue">{faults}</span>
  if (of !== 'requests') return null
  return (
    <span class="row count">
      <HiddenErrors /> {requestCount(live.requests.value.length)}
    </span>
  )
}
