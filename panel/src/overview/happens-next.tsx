import { useEffect, useRef, useState } from 'preact/hooks'
import { goTo } from '../frame/clock-acts.ts'
import type { EventKind, UpcomingEvent } from '../library.ts'
import { ActButton, Button, comingMark, Glyph, Nothing, Section } from '../parts/index.ts'
import { usePanel } from '../store/panel.ts'
import { day, eventWords, hour, minute, nounOf, second, spanOf } from '../store/words.ts'

/** The end of the axis: three seconds and a month both have their place. */
const horizon = 40 * day
const ticks = [
  { wait: second, words: 'now' },
  { wait: 10 * second, words: '10 s' },
  { wait: minute, words: '1 min' },
  { wait: 10 * minute, words: '10 min' },
  { wait: hour, words: '1 h' },
  { wait: 6 * hour, words: '6 h' },
  { wait: day, words: '1 d' },
  { wait: 7 * day, words: '1 week' },
]
const mostShown = 12
/** As many as a narrow screen has room for. */
const fewest = 4
/** From here on a text is left of its time, where there is no room at the right of it; in percent. */
const late = 80
/** About how wide a letter is, in pixels. */
const letter = 6.6
const usualWidth = 1_080

/** Events at one time. */
interface EventGroup {
  readonly at: number
  readonly wait: number
  readonly text: string
  /** Whose it is, where the text does not name it. */
  readonly of: string
  readonly kind: EventKind
}

function placeOf(wait: number): number {
  const shown = Math.min(Math.max(wait, second), horizon)
  return (Math.log10(shown / second) / Math.log10(horizon / second)) * 100
}

/** The scheduled events on a logarithmic axis; one can go to each. */
export function HappensNext() {
  const { live } = usePanel()
  const [showsAll, setShowsAll] = useState(false)
  const [width, setWidth] = useState(usualWidth)
  const strip = useRef<HTMLElement>(null)
  useEffect(() => {
    const observer = new ResizeObserver(([entry]) => setWidth(entry?.contentRect.width || usualWidth))
    if (strip.current !== null) observer.observe(strip.current)
    return () => observer.disconnect()
  }, [])
  const groups = groupEvents(live.upcoming.value, live.now.value)
  const shown = showsAll ? groups : groups.slice(0, mostShown)
  const lanes = lanesOf(shown, width)
  const hasGroups = groups.length > 0
  return (
    <Section
      as="cues"
      id="next-title"
      title="Scheduled events"
      place={strip}
      {...(hasGroups && { note: 'select one to advance the clock to it' })}
    >
      {hasGroups ? (
        <div
          class={`cue-strip${showsAll ? ' whole' : ''}`}
          style={{ '--lanes': String(Math.max(...lanes, 0) + 1) }}
        >
          <ol>
            {shown.map((group, index) => (
              <Cue key={`${group.at} ${group.text}`} group={group} lane={lanes[index] ?? 0} width={width} />
            ))}
          </ol>
          <div class="axis" aria-hidden="true">
            {ticks.map(({ wait, words }) => (
              <span key={words} style={{ left: `${placeOf(wait)}%` }}>
                {words}
              </span>
            ))}
          </div>
          {groups.length > fewest && (
            <Button
              as={`small${groups.length > mostShown ? '' : ' narrow-only'}`}
              aria-pressed={showsAll}
              onClick={() => setShowsAll(!showsAll)}
            >
              {showsAll ? 'Fewer' : 'All'}
            </Button>
          )}
        </div>
      ) : (
        <Nothing>No scheduled events.</Nothing>
      )}
    </Section>
  )
}

interface CueProps {
  readonly group: EventGroup
  readonly lane: number
  readonly width: number
}

function Cue({ group, lane, width }: CueProps) {
  const { live } = usePanel()
  const { at, wait, text, of, kind } = group
  const goes = goTo(live, at)
  const x = placeOf(wait)
  const isLate = x >= late && x + widthOf(group, width) > 100
  const room = ((100 - x) / 100) * width + 8
  return (
    <li
      class={`${kind === 'fails' ? 'bad' : ''}${isLate ? ' late' : ''}`}
      style={{ '--x': `${x}%`, '--y': String(lane), '--room': `${room}px` }}
    >
      <ActButton as="cue-button" does={goes.does} message={goes.message}>
        <Glyph of={comingMark(kind)} />
        <code>+{spanOf(Math.max(second, wait))}</code>
        <span class="cut stretch">
          {text} {of !== '' && <span class="quiet">{of}</span>}
        </span>
      </ActButton>
    </li>
  )
}

/** Puts together what happens at the same time. */
function groupEvents(events: readonly UpcomingEvent[], now: number): EventGroup[] {
  const groups = new Map<string, [UpcomingEvent, ...UpcomingEvent[]]>()
  for (const event of events) {
    const group = groups.get(event.at)
    if (group === undefined) groups.set(event.at, [event])
    else group.push(event)
  }
  return [...groups.values()].map((group): EventGroup => {
    const [first] = group
    const at = Date.parse(first.at)
    const isAlone = group.length === 1
    return {
      at,
      wait: Math.max(0, at - now),
      text: isAlone ? eventWords(first) : groupWords(group),
      of: isAlone ? String(first.belongsTo.pipeline_uuid ?? '') : '',
      kind: group.some(({ kind }) => kind === 'fails') ? 'fails' : first.kind,
    }
  })
}

function groupWords(group: readonly [UpcomingEvent, ...UpcomingEvent[]]): string {
  const [{ kind, plural }] = group
  if (!group.every((each) => each.kind === kind && each.plural === plural)) return `${group.length} events`
  return `${group.length} ${nounOf(plural)} ${kind.replace(/s$/, '')}`
}

/** About how much of an axis of a width a text takes, in percent. */
function widthOf({ text, of, wait }: EventGroup, width: number): number {
  return (((text.length + of.length + spanOf(wait).length + 5) * letter) / width) * 100
}

/** A staircase, the earliest on top: no line down to the axis crosses a text. It starts again where there is room. */
function lanesOf(groups: readonly EventGroup[], width: number): number[] {
  const lanes: number[] = []
  let lane = -1
  let end = 0
  for (const group of groups) {
    const x = placeOf(group.wait)
    lane = x > end ? 0 : lane + 1
    lanes.push(lane)
    end = Math.max(end, x + widthOf(group, width))
  }
  return lanes
}
