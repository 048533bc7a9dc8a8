import { Menu as More } from 'lucide'
import { Icon } from '../parts/icon.tsx'
import { usePanel } from '../store/panel.ts'
import { Link } from './link.tsx'
import { views } from './views.ts'

/** On a narrow screen the views stand below, under the thumb. */
export function Dock() {
  const { routes } = usePanel()
  const { view } = routes.current.value
  return (
    <nav class="dock" aria-label="Views, below">
      {views.map((each) => (
        <Link key={each.view} to={each.view} isCurrent={each.view === view}>
          <Icon of={each.icon} />
          {each.short}
        </Link>
      ))}
      <Link to="more" isCurrent={view === 'more'}>
        <Icon of={More} />
        More
      </Link>
    </nav>
  )
}
