import { Clock3, Hand, Rewind } from 'lucide'
import { useState } from 'preact/hooks'
import { endOf, type Run, startOf } from '../overview/pipeline-facts.ts'
import { ActButton, Icon, Link, moveFocus, Nothing, Section, Toggles } from '../parts/index.ts'
import { usePanel } from '../store/panel.ts'
import { countOf, day, dayOf, minute, spanOf, timeOf } from '../store/words.ts'
import { isOfRun, type Lane, placeBars, usualWindow, windows } from './lanes.ts'
import { triggerOf } from './trigger.ts'

const icons = { schedule: Clock3, backfill: Rewind, manual: Hand }
const lineHeight = 24
/** The share of the axis right of now. */
const ahead = 0.08

interface TimeLineProps {
  readonly lanes: readonly Lane[]
  readonly runs: readonly Run[]
  readonly chosen: number | undefined
  readonly base: string
}

export function TimeLine({ lanes, runs, chosen, base }: TimeLineProps) {
  const { live } = usePanel()
  const now = live.now.value
  const [picked, setPicked] = useState<string | undefined>(undefined)
  const opened = runs.find(({ id }) => id === chosen)
  const length = windows.find(({ words }) => words === picked)?.length ?? usualWindow(runs, opened, now)
  const from = now - length
  const placeOf = (time: number) => ((time - from) / length) * (1 - ahead) * 100
  const failed = runs.filter(({ status }) => status === 'failed').length
  const note =
    runs.length === 0
      ? 'none yet'
      : `${countOf(runs.length, 'run')}, ${failed === 0 ? 'none' : failed} failed; width is duration`
  const choice = (
    <Toggles
      label="How far back"
      options={windows.map(({ words }) => words)}
      isOn={(words) => windows.some((each) => each.words === words && each.length === length)}
      choose={setPicked}
      as="small"
    />
  )
  return (
    <Section title="Runs" note={note} aside={choice}>
      {lanes.length === 0 ? (
        <Nothing>No schedules and no backfills.</Nothing>
      ) : (
        <div class="time-line">
          <div class="lane-name" />
          <div class="axis" aria-hidden="true">
            {ticksOf(from, length).map(({ at, words }) => (
              <span key={at} style={{ left: `${placeOf(at)}%` }}>
                {words}
              </span>
            ))}
            <b style={{ left: `${placeOf(now)}%` }}>now</b>
          </div>
          {lanes.map((lane) => [
            <LaneName key={`name ${lane.key}`} lane={lane} />,
            <LaneRuns key={lane.key} lane={lane} from={from} placeOf={placeOf} opened={opened} base={base} />,
          ])}
        </div>
      )}
    </Section>
  )
}

function LaneName({ lane: { kind, name, sub, schedule } }: { readonly lane: Lane }) {
  const { routes } = usePanel()
  const trigger = schedule && triggerOf(schedule, routes)
  return (
    <div class="row top lane-name">
      <Icon of={icons[kind]} />
      <div class="stretch">
        <b class="block cut" dir="auto">
          {name}
        </b>
        <small>{sub}</small>
      </div>
      {trigger !== undefined && (
        <ActButton as="small" {...trigger}>
          Trigger
        </ActButton>
      )}
    </div>
  )
}

interface LaneRunsProps {
  readonly lane: Lane
  readonly from: number
  readonly placeOf: (time: number) => number
  readonly opened: Run | undefined
  readonly base: string
}

function LaneRuns({ lane, from, placeOf, opened, base }: LaneRunsProps) {
  const { live } = usePanel()
  const now = live.now.value
  const shown = lane.runs.filter((run) => endOf(run, now) >= from)
  // Draws a running run up to its predicted end.
  const untilOf = (run: Run) => {
    const end = live.scheduled.value.findLast(isOfRun(run))
    return end === undefined ? endOf(run, now) : Date.parse(end.at)
  }
  const bars = placeBars(shown, untilOf, (now - from) / 200)
  const lines = Math.max(1, ...bars.map(({ line }) => line + 1))
  const last = lane.runs.toSorted((one, other) => startOf(one) - startOf(other)).at(-1)
  const stop = shown.find((run) => run.id === opened?.id) ?? bars.at(-1)?.run
  return (
    <ol
      class="lane"
      style={{ minHeight: `${lines * lineHeight + 20}px` }}
      aria-label={`Runs of ${lane.name}`}
      onKeyDown={moveFocus}
    >
      <li class="lane-now" style={{ left: `${placeOf(now)}%` }} aria-hidden="true" />
      {bars.map(({ run, from: start, to, line }) => {
        const left = Math.max(0, placeOf(start))
        const width = `max(${Math.min(placeOf(to), 100) - left}%, 8px)`
        return (
          <li key={run.id} style={{ left: `${left}%`, width, top: `${10 + line * lineHeight}px` }}>
            <Link
              to={`${base}/runs/${run.id}`}
              as={`bar ${run.status}`}
              isCurrent={run.id === opened?.id}
              isStop={run.id === stop?.id}
            >
              <span class="hidden">
                Run {run.id}, {run.status}, {spanOf(endOf(run, now) - start)}
              </span>
            </Link>
          </li>
        )
      })}
      {shown.length === 0 && last !== undefined && (
        <li class="lane-else lesser">
          {countOf(lane.runs.length, 'run')}, the last {dayOf(startOf(last))}
        </li>
      )}
    </ol>
  )
}

const steps = [5, 10, 15, 30, 60, 180, 360, 720, 1_440].map((minutes) => minutes * minute)

/** About six marks, at full hours or days. */
function ticksOf(from: number, length: number): { readonly at: number; readonly words: string }[] {
  const step = steps.find((each) => length / each <= 7) ?? 2 * day
  const ticks: { at: number; words: string }[] = []
  for (let at = Math.ceil(from / step) * step; at < from + length * 0.87; at += step) {
    ticks.push({ at, words: at % day === 0 || step >= day ? dayOf(at) : timeOf(at).slice(0, 5) })
  }
  return ticks
}
