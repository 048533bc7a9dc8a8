import { isUnderWay, type Run } from '../now/pipeline-facts.ts'
import { countOf } from '../store/words.ts'
import { startOf } from './lanes.ts'

const day = 24 * 3_600_000
const days = 14
/** So many parts of a day, so that a failure at night stands apart from one in the morning. */
const partsOfDay = 4
const parts = days * partsOfDay

/** The runs of fourteen days in one strip, however small the window below: failures stand full height. */
export function Fortnight({
  runs,
  opened,
  now,
  length,
}: {
  readonly runs: readonly Run[]
  readonly opened: Run | undefined
  readonly now: number
  /** How far back the window below goes, in milliseconds. */
  readonly length: number
}) {
  const from = now - days * day
  const shown = runs.filter((run) => startOf(run) >= from && startOf(run) <= now)
  const most = Math.max(1, ...partsOf(shown, from).map(({ length: count }) => count))
  const failed = shown.filter(({ status }) => status === 'failed').length
  return (
    <div
      class="fortnight"
      role="img"
      aria-label={`The last 14 days: ${shown.length === 0 ? 'no run' : `${countOf(shown.length, 'run')}, ${failed} failed`}`}
    >
      {partsOf(shown, from).map((each, index) => {
        if (each.length === 0) return null
        const hasFailed = each.some(({ status }) => status === 'failed')
        const state = hasFailed ? 'failed' : each.some(isUnderWay) ? 'running' : ''
        const height = hasFailed ? 100 : 25 + (each.length / most) * 50
        return (
          <i key={index} class={state} style={{ left: `${(index / parts) * 100}%`, height: `${height}%` }} />
        )
      })}
      {opened !== undefined && shown.includes(opened) && (
        <em style={{ left: `${((startOf(opened) - from) / (days * day)) * 100}%` }} />
      )}
      <b style={{ width: `${(Math.min(length, days * day) / (days * day)) * 100}%` }} />
    </div>
  )
}

function partsOf(runs: readonly Run[], from: number): Run[][] {
  const found: Run[][] = Array.from({ length: parts }, () => [])
  for (const run of runs) {
    found[Math.min(parts - 1, Math.floor(((startOf(run) - from) / day) * partsOfDay))]!.push(run)
  }
  return found
}
