import { useState } from 'preact/hooks'
import { goTo } from '../frame/clock-acts.ts'
import type { EventKind, UpcomingEvent } from '../library.ts'
import { ActButton, Button, comingMark, Glyph, Nothing, Section } from '../parts/index.ts'
import { usePanel } from '../store/panel.ts'
import { eventWords, groupBy, nounOf, second, spanOf } from '../store/words.ts'

/** As many as are shown at first. */
const mostShown = 6

interface EventGroup {
  readonly at: number
  readonly wait: number
  readonly text: string
  /** Whose it is, where the text does not name it. */
  readonly of: string
  readonly kind: EventKind
}

/** The scheduled events; one can go to each. */
export function HappensNext() {
  const { live } = usePanel()
  const [showsAll, setShowsAll] = useState(false)
  const groups = groupEvents(live.upcoming.value, live.now.value)
  const all = groups.length > mostShown && (
    <Button as="small" aria-pressed={showsAll} onClick={() => setShowsAll(!showsAll)}>
      {showsAll ? 'Fewer' : 'All'}
    </Button>
  )
  return (
    <Section title="Scheduled events" note="select one to go there" aside={all}>
      {groups.length === 0 && <Nothing>No scheduled events.</Nothing>}
      <ol class="cues">
        {groups.slice(0, showsAll ? groups.length : mostShown).map((group) => (
          <Cue key={`${group.at} ${group.text}`} {...group} />
        ))}
      </ol>
    </Section>
  )
}

function Cue({ at, wait, text, of, kind }: EventGroup) {
  const { live } = usePanel()
  const { does, message } = goTo(live, at)
  return (
    <li>
      <ActButton does={does} message={message}>
        <Glyph of={comingMark(kind)} />
        <span class="mono soft">+{spanOf(Math.max(second, wait))}</span>
        <span class="cut stretch">
          {text} <span class="quiet">{of}</span>
        </span>
      </ActButton>
    </li>
  )
}

/** Puts together what happens at the same time. */
function groupEvents(events: readonly UpcomingEvent[], now: number): EventGroup[] {
  return [...groupBy(events, ({ at }) => at).values()].flatMap((group) => {
    const [first] = group
    if (first === undefined) return []
    const at = Date.parse(first.at)
    const isAlone = group.length === 1
    return {
      at,
      wait: at - now,
      text: isAlone ? eventWords(first) : groupWords(group, first),
      of: isAlone ? String(first.belongsTo.pipeline_uuid ?? '') : '',
      kind: group.some(({ kind }) => kind === 'fails') ? 'fails' : first.kind,
    }
  })
}

function groupWords(group: readonly UpcomingEvent[], { kind, plural }: UpcomingEvent): string {
  if (!group.every((each) => each.kind === kind && each.plural === plural)) return `${group.length} events`
  return `${group.length} ${nounOf(plural)} ${kind.replace(/s$/, '')}`
}
