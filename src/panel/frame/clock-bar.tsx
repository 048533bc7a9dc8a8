import { Pause, Play } from 'lucide'
import { ActButton } from '../parts/act-button.tsx'
import { comingMark, Glyph } from '../parts/glyph.tsx'
import { Icon } from '../parts/icon.tsx'
import { act } from '../store/acts.ts'
import { usePanel } from '../store/panel.ts'
import { dayOf, spanOf, timeOf, yearOf } from '../store/words.ts'

const speeds = [1, 10, 60, 600]
const steps = [
  ['5s', '+5 s'],
  ['1h', '+1 h'],
  ['1d', '+1 d'],
] as const

/** The world's time, what moves it, and what comes next. */
export function ClockBar() {
  const { live } = usePanel()
  const now = live.now.value
  const isFrozen = live.isFrozen.value
  return (
    <header class="clock">
      <div class="clock-now">
        <time dateTime={new Date(now).toISOString()}>{timeOf(now)}</time>
        <span>
          {dayOf(now)}
          <span class="wide-only"> {yearOf(now)}, UTC</span>
          {isFrozen && <span class="cue"> frozen</span>}
        </span>
      </div>
      <ClockHands />
      <Next />
    </header>
  )
}

/** What moves the clock by hand. */
export function ClockHands() {
  const { live, desk } = usePanel()
  const { speed } = live.clock.value
  const isFrozen = speed === 0
  return (
    <div class="clock-hands">
      <span class="joined">
        {isFrozen ? (
          <ActButton does={act('clock.run')} says="The clock runs.">
            <Icon of={Play} /> Run
          </ActButton>
        ) : (
          <ActButton does={act('clock.freeze')} says="The clock stands still.">
            <Icon of={Pause} /> Freeze
          </ActButton>
        )}
        <label class="button select">
          <span class="hidden">Speed</span>
          <select
            value={String(speed)}
            disabled={live.lost.value !== undefined}
            onChange={(event) =>
              void desk.perform(act('clock.run', Number(event.currentTarget.value)), 'The clock runs.')
            }
          >
            {isFrozen && <option value="0">0×</option>}
            {[...new Set([...speeds, ...(isFrozen ? [] : [speed])])].map((each) => (
              <option key={each} value={String(each)}>
                {each}×
              </option>
            ))}
          </select>
        </label>
      </span>
      <span class="joined steps">
        {steps.map(([duration, words]) => (
          <ActButton
            key={duration}
            does={act('clock.advance', duration)}
            says={`The clock went on by ${words.slice(1)}.`}
            label={`Advance by ${words.slice(1)}`}
          >
            {words}
          </ActButton>
        ))}
      </span>
    </div>
  )
}

function Next() {
  const { live } = usePanel()
  const [next] = live.upcoming.value
  if (live.lost.value !== undefined) return null
  if (next === undefined) return <p class="clock-next none">Nothing will happen by itself.</p>
  // Less than a second is not worth a figure that flickers.
  const wait = Math.max(1_000, Date.parse(next.at) - live.now.value)
  return (
    <div class="clock-next">
      <p>
        <span class="label">Next, in {spanOf(wait)}</span>
        <span class="clock-event">
          <Glyph of={comingMark(next.kind)} />
          <span class="cut">{next.text.replace(/\.$/, '')}</span>
        </span>
      </p>
      <ActButton
        does={act('clock.advanceToNext')}
        says={`The clock went to ${timeOf(Date.parse(next.at))}.`}
        label="Go there N"
      >
        Go<span class="wide-only"> there</span> <kbd class="wide-only">N</kbd>
      </ActButton>
    </div>
  )
}
