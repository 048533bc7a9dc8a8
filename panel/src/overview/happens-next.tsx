import { useState } from 'preact/hooks'
import { goTo } from '../frame/clock-acts.ts'
import type { EventKind, UpcomingEvent } from '../library.ts'
import { ActButton, Button, comingMark, Glyph, Nothing, Section, useSize } from '../parts/index.ts'
import { usePanel } from '../store/panel.ts'
import { day, eventWords, groupBy, hour, minute, nounOf, second, spanOf } from '../store/words.ts'

/** The end of the axis: three seconds and a month both have their place. */
const horizon = 40 * day
const ticks = [second, 10 * second, minute, 10 * minute, hour, 6 * hour, day, 7 * day]
const mostShown = 12
/** As many as a narrow screen has room for. */
const fewest = 4
/** About how wide a letter is, in pixels. */
const letter = 6.6
const usualWidth = 1_080

interface EventGroup {
  readonly at: number
  readonly wait: number
  readonly text: string
  /** Whose it is, where the text does not name it. */
  readonly of: string
  readonly kind: EventKind
}

/** A group of events on the axis, in percent of its width. */
interface PlacedGroup extends EventGroup {
  readonly x: number
  readonly lane: number
  /** True where the text has no room at the right of its time. */
  readonly isLate: boolean
}

function placeOf(wait: number): number {
  const shown = Math.min(Math.max(wait, second), horizon)
  return (Math.log10(shown / second) / Math.log10(horizon / second)) * 100
}

/** The scheduled events on a logarithmic axis; one can go to each. */
export function HappensNext() {
  const { live } = usePanel()
  const [showsAll, setShowsAll] = useState(false)
  const [{ width } = { width: usualWidth }, measured] = useSize()
  const groups = groupEvents(live.upcoming.value, live.now.value)
  const shown = placeGroups(showsAll ? groups : groups.slice(0, mostShown), width)
  const all = groups.length > fewest && (
    <Button
      as={`small${groups.length > mostShown ? '' : ' narrow-only'}`}
      aria-pressed={showsAll}
      onClick={() => setShowsAll(!showsAll)}
    >
      {showsAll ? 'Fewer' : 'All'}
    </Button>
  )
  if (groups.length === 0) {
    return (
      <Section title="Scheduled events">
        <Nothing>No scheduled events.</Nothing>
      </Section>
    )
  }
  const lanes = Math.max(...shown.map(({ lane }) => lane)) + 1
  return (
    <Section as="cues" title="Scheduled events" note="select one to advance the clock to it" aside={all}>
      <ol class={`cue-strip${showsAll ? ' whole' : ''}`} style={{ '--lanes': String(lanes) }} ref={measured}>
        {shown.map((group) => (
          <Cue key={`${group.at} ${group.text}`} group={group} width={width} />
        ))}
      </ol>
      <div class="axis" aria-hidden="true">
        {ticks.map((wait) => (
          <span key={wait} style={{ left: `${placeOf(wait)}%` }}>
            {wait === second ? 'now' : spanOf(wait)}
          </span>
        ))}
      </div>
    </Section>
  )
}

function Cue({ group, width }: { readonly group: PlacedGroup; readonly width: number }) {
  const { live } = usePanel()
  const { at, wait, text, of, kind, x, lane, isLate } = group
  const { does, message } = goTo(live, at)
  const room = ((100 - x) / 100) * width + 8
  return (
    <li
      class={`${kind === 'fails' ? 'bad' : ''}${isLate ? ' late' : ''}`}
      style={{ '--x': `${x}%`, '--y': String(lane), '--room': `${room}px` }}
    >
      <ActButton as="cue-button" does={does} message={message}>
        <Glyph of={comingMark(kind)} />
        <span class="mono soft">+{spanOf(Math.max(second, wait))}</span>
        <span class="cut stretch">
          {text} {of !== '' && <span class="quiet">{of}</span>}
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
      wait: Math.max(0, at - now),
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

/** Places groups in a staircase, the earliest on top: no line down to the axis crosses a text. It starts again where there is room. */
function placeGroups(groups: readonly EventGroup[], width: number): PlacedGroup[] {
  let lane = -1
  let end = 0
  return groups.map((group) => {
    const { text, of, wait } = group
    const x = placeOf(wait)
    const length = (((text.length + of.length + spanOf(wait).length + 5) * letter) / width) * 100
    lane = x > end ? 0 : lane + 1
    end = Math.max(end, x + length)
    return { ...group, x, lane, isLate: x >= 80 && x + length > 100 }
  })
}
