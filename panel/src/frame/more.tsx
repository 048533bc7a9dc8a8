import { ChevronDown, Search } from 'lucide'
import { Icon } from '../parts/icon.tsx'
import { usePanel } from '../store/panel.ts'
import { CallLine } from './call-line.tsx'
import { ClockHands } from './clock-bar.tsx'
import { Link } from './link.tsx'
import { WorldMenu } from './world-menu.tsx'

/** On a narrow screen: what else there is room for beside the views. */
export function More() {
  const { live, isFinding } = usePanel()
  return (
    <div class="more">
      <h1 class="title">More</h1>
      <section>
        <button type="button" class="find-button" onClick={() => (isFinding.value = true)}>
          <Icon of={Search} />
          Find or do
        </button>
      </section>
      <section>
        <h2>World</h2>
        <WorldMenu icon={<Icon of={ChevronDown} />} />
      </section>
      <section>
        <h2>Records</h2>
        <p>
          <Link to="records" as="link">
            All resources
          </Link>
        </p>
      </section>
      <section>
        <h2>Clock</h2>
        <ClockHands />
      </section>
      <section>
        <h2>Calls</h2>
        <CallLine as="section" />
      </section>
      {live.lost.value !== undefined && (
        <p class="nothing">Acts are kept off until the server answers again.</p>
      )}
    </div>
  )
}
