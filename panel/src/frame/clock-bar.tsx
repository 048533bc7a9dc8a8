import { Pause, Play } from 'lucide'
import { ActButton } from '../parts/act-button.tsx'
import { comingMark, Glyph } from '../parts/glyph.tsx'
import { Icon } from '../parts/icon.tsx'
import { usePanel } from '../store/panel.ts'
import { dayOf, durationOf, spanOf, timeOf, yearOf } from '../store/words.ts'
import { barSteps, goToNext, runAt, sentenceOf, stepBy, turnClock } from './clock-acts.ts'

const speeds = [1, 10, 60, 600]

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
  const { live, runner } = usePanel()
  const { speed } = live.clock.value
  const isFrozen = speed === 0
  const turn = turnClock(live)
  const choose = (speed: number) => {
    const { does, says } = runAt(speed)
    void runner.perform(does, says)
  }
  return (
    <div class="clock-hands">
      <span class="joined">
        <ActButton does={turn.does} says={turn.says}>
          <Icon of={isFrozen ? Play : Pause} /> {isFrozen ? 'Run' : 'Freeze'}
        </ActButton>
        <label class="button select">
          <span class="hidden">Speed</span>
          <select
            value={String(speed)}
            disabled={live.lost.value !== undefined}
            onChange={(event) => choose(Number(event.currentTarget.value))}
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
        {barSteps.map((step) => {
          const { does, title, says } = stepBy(step)
          return (
            <ActButton key={step} does={does} says={says} label={title}>
              +{durationOf(step)}
            </ActButton>
          )
        })}
      </span>
    </div>
  )
}

function Next() {
  const { live } = usePanel()
  const [next] = live.upcoming.value
  const goes = goToNext(live)
  if (live.lost.value !== undefined) return null
  if (next === undefined || goes === undefined)
    return <p class="clock-next none">Nothing will happen by itself.</p>
  // Less than a second is not worth a figure that flickers.
  const wait = Math.max(1_000, Date.parse(next.at) - live.now.value)
  return (
    <div class="clock-next">
      <p>
        <span class="label">Next, in {spanOf(wait)}</span>
        <span class="clock-event">
          <Glyph of={comingMark(next.kind)} />
          <span class="cut">{sentenceOf(next)}</span>
        </span>
      </p>
      <ActButton does={goes.does} says={goes.says} label="Go there N">
        Go<span class="wide-only"> there</span> <kbd class="wide-only">N</kbd>
      </ActButton>
    </div>
  )
}
