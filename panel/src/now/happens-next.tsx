import { useEffect, useRef, useState } from 'preact/hooks'
import type { UpcomingEvent } from '../../../src/engine/events/event-types.ts'
import type { EventKind } from '../../../src/resources/event-words.ts'
import { goTo, goToNext } from '../frame/clock-acts.ts'
import { ActButton } from '../parts/act-button.tsx'
import { Nothing } from '../parts/empty.tsx'
import { comingMark, Glyph } from '../parts/glyph.tsx'
import { usePanel } from '../store/panel.ts'
import { eventWords, spanOf } from '../store/words.ts'

const second = 1_000
const minute = 60 * second
const hour = 60 * minute
const day = 24 * hour
/** Where the axis ends: three seconds and a month both have their place. */
const horizon = 40 * day
const ticks: readonly (readonly [wait: number, words: string])[] = [
  [second, 'now'],
  [10 * second, '10 s'],
  [minute, '1 min'],
  [10 * minute, '10 min'],
  [hour, '1 h'],
  [6 * hour, '6 h'],
  [day, '1 d'],
  [7 * day, '1 week'],
]
const mostShown = 12
/** How many there is room for on a narrow screen. */
const fewest = 4
/** From where on a text stands left of its moment, where there is no room at the right of it. */
const late = 80
/** About how wide a letter is, in pixels. */
const letter = 6.6

/** What happens at one moment. */
interface Moment {
  readonly at: number
  readonly wait: number
  readonly text: string
  /** Whose it is, where the text does not say it. */
  readonly of: string
  readonly kind: EventKind
}

function placeOf(wait: number): number {
  return (Math.log10(Math.min(Math.max(wait, second), horizon) / second) / Math.log10(horizon / second)) * 100
}

/** What will happen by itself, on a logarithmic axis; each moment is a place one can go to. */
export function HappensNext() {
  const { live } = usePanel()
  const [showsAll, setShowsAll] = useState(false)
  const [width, setWidth] = useState(1_080)
  const strip = useRef<HTMLElement>(null)
  useEffect(() => {
    const watch = new ResizeObserver(([entry]) => setWidth(entry?.contentRect.width || 1_080))
    if (strip.current !== null) watch.observe(strip.current)
    return () => watch.disconnect()
  }, [])
  const now = live.now.value
  const moments = toMoments(live.upcoming.value, now)
  const shown = showsAll ? moments : moments.slice(0, mostShown)
  const lanes = laneOf(shown, width)
  const count = Math.max(...lanes, 0) + 1
  return (
    <section class="cues" aria-labelledby="next-title" ref={strip}>
      <div class="section-head">
        <h2 id="next-title">What happens next</h2>
        {moments.length > 0 && <span class="lesser">choose one to move the clock there</span>}
      </div>
      {moments.length === 0 ? (
        <Nothing>Nothing will happen by itself.</Nothing>
      ) : (
        <div class={`cue-strip${showsAll ? ' whole' : ''}`} style={{ '--lanes': String(count) }}>
          <ol>
            {shown.map((moment, index) => {
              const { at, wait, text, of, kind } = moment
              const goes = (index === 0 ? goToNext(live) : undefined) ?? goTo(live, at)
              const x = placeOf(wait)
              const room = ((100 - x) / 100) * width + 8
              return (
                <li
                  key={`${at} ${text}`}
                  class={`${kind === 'fails' ? 'bad' : ''}${x >= late && x + widthOf(moment, width) > 100 ? ' late' : ''}`}
                  style={{ '--x': `${x}%`, '--y': String(lanes[index]), '--room': `${room}px` }}
                >
                  <ActButton as="cue-button" does={goes.does} says={goes.says}>
                    <Glyph of={comingMark(kind)} />
                    <code>+{spanOf(Math.max(second, wait))}</code>
                    <span class="cut">
                      {text} {of !== '' && <span class="quiet">{of}</span>}
                    </span>
                  </ActButton>
                </li>
              )
            })}
          </ol>
          <div class="axis" aria-hidden="true">
            {ticks.map(([wait, words]) => (
              <span key={words} style={{ '--x': `${placeOf(wait)}%` }}>
                {words}
              </span>
            ))}
          </div>
          {moments.length > fewest && (
            <button
              type="button"
              class={`button small${moments.length > mostShown ? '' : ' narrow-only'}`}
              aria-pressed={showsAll}
              onClick={() => setShowsAll(!showsAll)}
            >
              {showsAll ? 'Fewer' : 'All'}
            </button>
          )}
        </div>
      )}
    </section>
  )
}

/** Puts together what happens at the same moment. */
function toMoments(events: readonly UpcomingEvent[], now: number): Moment[] {
  const groups = new Map<string, UpcomingEvent[]>()
  for (const event of events) groups.set(event.at, [...(groups.get(event.at) ?? []), event])
  return [...groups].map(([at, [first, ...others]]) => {
    const moment = Date.parse(at)
    const failing = [first, ...others].filter((event) => event?.kind === 'fails').length
    const noun = (first?.plural ?? '').replace(/^pipeline_/, '').replaceAll('_', ' ')
    const isAlike = others.every(({ kind, plural }) => kind === first?.kind && plural === first?.plural)
    const text =
      others.length === 0
        ? first === undefined
          ? ''
          : eventWords(first)
        : isAlike
          ? `${others.length + 1} ${noun} ${(first?.kind ?? '').replace(/e?s$/, (end) => (end === 'es' ? 'e' : ''))}`
          : `${others.length + 1} things happen`
    return {
      at: moment,
      wait: Math.max(0, moment - now),
      text,
      of: others.length === 0 ? String(first?.belongsTo.pipeline_uuid ?? '') : '',
      kind: failing > 0 ? 'fails' : (first?.kind ?? 'fires'),
    }
  })
}

/** About how much of an axis of a width a text takes, in percent. */
function widthOf({ text, of, wait }: Moment, width: number): number {
  return (((text.length + of.length + spanOf(wait).length + 5) * letter) / width) * 100
}

/** A staircase, the earliest on top: no line down to the axis crosses a text. It begins anew where there is room. */
function laneOf(moments: readonly Moment[], width: number): number[] {
  const lanes: number[] = []
  let lane = -1
  let end = 0
  for (const moment of moments) {
    const x = placeOf(moment.wait)
    lane = x > end ? 0 : lane + 1
    lanes.push(lane)
    end = Math.max(end, x + widthOf(moment, width))
  }
  return lanes
}
