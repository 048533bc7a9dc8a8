import { isUnderWay, type Run } from '../overview/pipeline-facts.ts'
import { countOf, day, groupBy } from '../store/words.ts'
import { startOf } from './lanes.ts'

const length = 14 * day
/** Quarters of days, so that a failure at night is apart from one in the morning. */
const parts = 14 * 4

interface FortnightProps {
  readonly runs: readonly Run[]
  readonly opened: Run | undefined
  readonly now: number
  /** The length of the window below, in milliseconds. */
  readonly window: number
}

/** The runs of fourteen days in one strip, however small the window below: failures have the full height. */
export function Fortnight({ runs, opened, now, window }: FortnightProps) {
  const placeOf = (time: number) => (time - (now - length)) / length
  const shown = runs.filter((run) => placeOf(startOf(run)) >= 0 && startOf(run) <= now)
  const failed = shown.filter(({ status }) => status === 'failed').length
  const words = shown.length === 0 ? 'no run' : `${countOf(shown.length, 'run')}, ${failed} failed`
  const partOf = (run: Run) => Math.min(parts - 1, Math.floor(placeOf(startOf(run)) * parts))
  const groups = [...groupBy(shown, (run) => String(partOf(run)))]
  const most = Math.max(1, ...groups.map(([, group]) => group.length))
  return (
    <div class="fortnight" role="img" aria-label={`The last 14 days: ${words}`}>
      {groups.map(([part, group]) => {
        const hasFailed = group.some(({ status }) => status === 'failed')
        const state = hasFailed ? 'failed' : group.some(isUnderWay) ? 'running' : ''
        const height = hasFailed ? 100 : 25 + (group.length / most) * 50
        const left = (Number(part) / parts) * 100
        return <i key={part} class={state} style={{ left: `${left}%`, height: `${height}%` }} />
      })}
      {opened !== undefined && shown.includes(opened) && (
        <em style={{ left: `${placeOf(startOf(opened)) * 100}%` }} />
      )}
      <b style={{ width: `${(Math.min(window, length) / length) * 100}%` }} />
    </div>
  )
}
