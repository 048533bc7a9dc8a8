import { Clock3, Hand, Rewind } from 'lucide'
import { useState } from 'preact/hooks'
import { Link } from '../frame/link.tsx'
import type { Run } from '../now/pipeline-facts.ts'
import { ActButton } from '../parts/act-button.tsx'
import { goAmongLinks } from '../parts/arrow-keys.ts'
import { Nothing } from '../parts/empty.tsx'
import { Icon } from '../parts/icon.tsx'
import { act } from '../store/acts.ts'
import { usePanel } from '../store/panel.ts'
import type { Answered } from '../store/run-act.ts'
import { countOf, dayOf, lengthOf, timeOf } from '../store/words.ts'
import { Fortnight } from './fortnight.tsx'
import { endOf, type Lane, placeBars, startOf, usualWindow, windows } from './lanes.ts'

const icons = { schedule: Clock3, backfill: Rewind, hand: Hand }
const lineHeight = 24
/** How much of the axis lies right of now. */
const ahead = 0.08

/** The runs of a pipeline by what they come from: their width is how long they took. */
export function TimeLine({
  lanes,
  runs,
  chosen,
  base,
}: {
  readonly lanes: readonly Lane[]
  readonly runs: readonly Run[]
  readonly chosen: number | undefined
  readonly base: string
}) {
  const { live } = usePanel()
  const now = live.now.value
  const ends = new Map(
    live.upcoming.value
      .filter(({ plural }) => plural === 'pipeline_runs')
      .map(({ key, at }): [string, number] => [key, Date.parse(at)]),
  )
  const [picked, setPicked] = useState<number | undefined>(undefined)
  const opened = runs.find(({ id }) => id === chosen)
  const length = picked ?? usualWindow(runs, opened, now)
  const from = now - length
  const place = (moment: number) => ((moment - from) / length) * (1 - ahead) * 100
  const failed = runs.filter(({ status }) => status === 'failed').length
  return (
    <section aria-labelledby="runs-title">
      <div class="section-head">
        <h2 id="runs-title">Runs</h2>
        <span class="lesser">
          {runs.length === 0
            ? 'none yet'
            : `${countOf(runs.length, 'run')}, ${failed === 0 ? 'none' : failed} failed; width is duration`}
        </span>
        <fieldset class="joined push" aria-label="How far back">
          {windows.map(([words, each]) => (
            <button
              key={words}
              type="button"
              class="button small"
              aria-pressed={each === length}
              onClick={() => setPicked(each)}
            >
              {words}
            </button>
          ))}
        </fieldset>
      </div>
      {lanes.length === 0 ? (
        <Nothing>It has no schedule and no backfill.</Nothing>
      ) : (
        <div class="time-line">
          <div class="lane-name lesser">14 days</div>
          <Fortnight runs={runs} opened={opened} now={now} length={length} />
          <div class="lane-name" />
          <div class="time-axis" aria-hidden="true">
            {ticksOf(from, length).map(({ at, words }) => (
              <span key={at} style={{ left: `${place(at)}%` }}>
                {words}
              </span>
            ))}
            <b style={{ left: `${place(now)}%` }}>now</b>
          </div>
          {lanes.map((lane) => (
            <LaneRow
              key={lane.key}
              lane={lane}
              from={from}
              now={now}
              ends={ends}
              place={place}
              opened={opened}
              base={base}
            />
          ))}
        </div>
      )}
    </section>
  )
}

function LaneRow({
  lane,
  from,
  now,
  ends,
  place,
  opened,
  base,
}: {
  readonly lane: Lane
  readonly from: number
  readonly now: number
  /** When runs end that are under way, by their key. */
  readonly ends: ReadonlyMap<string, number>
  readonly place: (moment: number) => number
  readonly opened: Run | undefined
  readonly base: string
}) {
  const { routes } = usePanel()
  const shown = lane.runs.filter((run) => endOf(run, now) >= from)
  // What one has opened is to be found, wherever the window ends.
  const before = lane.runs.find((run) => run.id === opened?.id && !shown.includes(run))
  const bars = placeBars(shown, now, (now - from) / 200)
  const lines = Math.max(1, ...bars.map(({ line }) => line + 1))
  const stop = (shown.find((run) => run.id === opened?.id) ?? bars[bars.length - 1]?.run)?.id
  const last = lane.runs.reduce<Run | undefined>(
    (found, run) => (found === undefined || startOf(run) > startOf(found) ? run : found),
    undefined,
  )
  return (
    <>
      <div class="lane-name">
        <Icon of={icons[lane.kind]} />
        <div>
          <b class="cut" dir="auto">
            {lane.name}
          </b>
          <small>{lane.sub}</small>
        </div>
        {lane.trigger !== undefined && (
          <ActButton
            as="small push"
            does={act('fetch', 'POST', lane.trigger, {})}
            says={`${lane.name} is triggered.`}
            label={`Trigger ${lane.name}`}
            done={(value) => {
              const id = startedBy(value as Answered)
              if (id !== undefined) routes.go(`${base}/runs/${id}`)
            }}
          >
            Trigger
          </ActButton>
        )}
      </div>
      <ol
        class="lane"
        style={{ minHeight: `${lines * lineHeight + 20}px` }}
        aria-label={`Runs of ${lane.name}`}
        onKeyDown={goAmongLinks}
      >
        <li class="lane-now" style={{ left: `${place(now)}%` }} aria-hidden="true" />
        {bars.map(({ run, from: start, to, line }) => {
          const left = Math.max(0, place(start))
          return (
            <li
              key={run.id}
              style={{
                left: `${left}%`,
                width: `max(${place(to) - left}%, 8px)`,
                top: `${10 + line * lineHeight}px`,
              }}
            >
              <Link
                to={`${base}/runs/${run.id}`}
                as={`bar ${run.status}`}
                isCurrent={run.id === opened?.id}
                isStop={run.id === stop}
              >
                <span class="hidden">
                  Run {run.id}, {run.status}, {lengthOf(to - start)}
                </span>
              </Link>
            </li>
          )
        })}
        {bars.map(({ run, line }) => {
          const end = ends.get(String(run.id))
          if (end === undefined || end <= now) return null
          const width = Math.min(place(end), 100) - place(now)
          return (
            <li
              key={`end of ${run.id}`}
              class="lane-ahead"
              style={{
                left: `${place(now)}%`,
                width: `max(${width}%, 6px)`,
                top: `${16 + line * lineHeight}px`,
              }}
              aria-hidden="true"
            />
          )
        })}
        {before !== undefined ? (
          <li class="lane-else before lesser">
            ← <b>run {before.id}</b>, which is opened, {dayOf(startOf(before))}
          </li>
        ) : (
          shown.length === 0 &&
          last !== undefined && (
            <li class="lane-else lesser">
              {countOf(lane.runs.length, 'run')}, the last {dayOf(startOf(last))}
            </li>
          )
        )}
      </ol>
    </>
  )
}

/** The run that a trigger has started, where it has. */
function startedBy({ body }: Answered): unknown {
  return (body as { pipeline_run?: { id?: unknown } }).pipeline_run?.id
}

const minute = 60_000
const steps = [5, 10, 15, 30, 60, 180, 360, 720, 1_440, 2_880].map((minutes) => minutes * minute)

/** Six marks or so, at full hours or days. */
function ticksOf(from: number, length: number): { readonly at: number; readonly words: string }[] {
  const step = steps.find((each) => length / each <= 7) ?? steps[steps.length - 1]!
  const ticks: { at: number; words: string }[] = []
  for (let at = Math.ceil(from / step) * step; at < from + length * 0.95; at += step) {
    const isDay = at % (1_440 * minute) === 0
    ticks.push({ at, words: isDay || step >= 1_440 * minute ? dayOf(at) : timeOf(at).slice(0, 5) })
  }
  return ticks
}
