import { useState } from 'preact/hooks'
import { goTo } from '../frame/clock-acts.ts'
import type { ScheduledEvent } from '../library.ts'
import { ActButton, Button, Glyph, Nothing, Section, scheduledMark } from '../parts/index.ts'
import { usePanel } from '../store/panel.ts'
import { eventWords, second, spanOf } from '../store/words.ts'

const mostShown = 6

export function HappensNext() {
  const { live } = usePanel()
  const [showsAll, setShowsAll] = useState(false)
  const events = live.scheduled.value
  const all = events.length > mostShown && (
    <Button as="small" aria-pressed={showsAll} onClick={() => setShowsAll(!showsAll)}>
      {showsAll ? 'Fewer' : 'All'}
    </Button>
  )
  return (
    <Section title="Scheduled events" note="select one to go there" aside={all}>
      {events.length === 0 && <Nothing>No scheduled events.</Nothing>}
      <ol class="tiles">
        {events.slice(0, showsAll ? events.length : mostShown).map((event) => (
          <Cue key={`${event.at} ${event.text}`} event={event} />
        ))}
      </ol>
    </Section>
  )
}

function Cue({ event }: { readonly event: ScheduledEvent }) {
  const { live } = usePanel()
  const at = Date.parse(event.at)
  const { does, message } = goTo(live, at)
  return (
    <li>
      <ActButton does={does} message={message}>
        <Glyph of={scheduledMark(event.kind)} />
        <span class="mono soft">+{spanOf(Math.max(second, at - live.now.value))}</span>
        <span class="cut stretch">
          {eventWords(event)} <span class="quiet">{event.belongsTo.pipeline_uuid}</span>
        </span>
      </ActButton>
    </li>
  )
}
