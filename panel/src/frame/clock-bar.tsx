import { Pause, Play } from 'lucide'
import { ActButton, Glyph, Icon, Select, scheduledMark } from '../parts/index.ts'
import { act } from '../store/acts.ts'
import { usePanel } from '../store/panel.ts'
import { dayOf, durationOf, spanOf, timeOf, yearOf } from '../store/words.ts'
import { goToNext, sentenceOf, stepBy, steps, toggleClock } from './clock-acts.ts'

const speeds = [1, 10, 60, 600]

export function ClockBar() {
  const { live } = usePanel()
  const now = live.now.value
  return (
    <header class="row wide clock">
      {live.isReady.value ? (
        <p>
          <time class="block" dateTime={new Date(now).toISOString()}>
            {timeOf(now)}
          </time>
          <span class="lesser">
            {dayOf(now)}
            <span class="wide-only"> {yearOf(now)}, UTC</span>
            {live.isFrozen.value && <span class="cue"> frozen</span>}
          </span>
        </p>
      ) : (
        <p class="lesser">Loading …</p>
      )}
      <ClockControls />
      <NextEvent />
    </header>
  )
}

export function ClockControls() {
  const { live, runner } = usePanel()
  const { speed } = live.clock.value
  const isFrozen = speed === 0
  const { does, message } = toggleClock(live)
  const shown = isFrozen ? [0, ...speeds] : [...new Set([...speeds, speed])]
  return (
    <div class="row wide wrap clock-controls">
      <span class="joined">
        <ActButton does={does} message={message}>
          <Icon of={isFrozen ? Play : Pause} /> {isFrozen ? 'Run' : 'Freeze'}
        </ActButton>
        <Select
          as="button"
          label="Speed"
          value={String(speed)}
          options={shown.map((each) => [String(each), `${each}×`])}
          isDisabled={live.lost.value !== undefined}
          choose={(chosen) => {
            const does = act('clock.run', Number(chosen))
            void runner.perform({ does, message: `Clock running at ${chosen}×.` })
          }}
        />
      </span>
      <span class="joined steps">
        {steps.map((step) => (
          <ActButton key={step} {...stepBy(step)}>
            +{durationOf(step)}
          </ActButton>
        ))}
      </span>
    </div>
  )
}

function NextEvent() {
  const { live } = usePanel()
  const [next] = live.scheduled.value
  const action = goToNext(live)
  if (live.lost.value !== undefined || !live.isReady.value) return null
  if (next === undefined || action === undefined) return <p class="clock-next quiet">No scheduled events.</p>
  // A number that changes several times a second would flicker.
  const wait = Math.max(1_000, Date.parse(next.at) - live.now.value)
  return (
    <div class="row clock-next">
      <ActButton {...action} title="Go there N">
        Go<span class="wide-only"> there</span> <kbd>N</kbd>
      </ActButton>
      <p class="cut">
        <span class="lesser">Next, in {spanOf(wait)}</span>
        <span class="row">
          <Glyph of={scheduledMark(next.kind)} />
          <span class="cut">{sentenceOf(next)}</span>
        </span>
      </p>
    </div>
  )
}
