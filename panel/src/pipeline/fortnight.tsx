import { isUnderWay, type Run } from '../overview/pipeline-facts.ts'
import { countOf, day } from '../store/words.ts'
import { startOf } from './lanes.ts'

const days = 14
const length = days * day
/** So many parts of a day, so that a failure at night is apart from one in the morning. */
const partsOfDay = 4
const parts = days * partsOfDay

interface FortnightProps {
  readonly runs: readonly Run[]
  readonly opened: Run | undefined
  readonly now: number
  /** The length of the window below, in milliseconds. */
  readonly window: number
}

/** The runs of fourteen days in one strip, however small the window below: failures have the full height. */
export function Fortnight({ runs, opened, now, window }: FortnightProps) {
  const from = now - length
  const shown = runs.filter((run) => startOf(run) >= from && startOf(run) <= now)
  const failed = shown.filter(({ status }) => status === 'failed').length
  const words = shown.length === 0 ? 'no run' : `${countOf(shown.length, 'run')}, ${failed} failed`
  const groups = new Map<number, Run[]>()
  for (const run of shown) {
    const part = Math.min(parts - 1, Math.floor(((startOf(run) - from) / day) * partsOfDay))
    groups.set(part, [...(groups.get(part) ?? []), run])
  }
  const most = Math.max(1, ...[...groups.values()].map((group) => group.length))
  return (
    <div class="fortnight" role="img" aria-label={`The last 14 days: ${words}`}>
      {[...groups].map(([part, group]) => {
        const hasFailed = group.some(({ status }) => status === 'failed')
        const state = hasFailed ? 'failed' : group.some(isUnderWay) ? 'running' : ''
        const height = hasFailed ? 100 : 25 + (group.length / most) * 50
        return (
          <i key={part} class={state} style={{ left: `${(part / parts) * 100}%`, height: `${height}%` }} />
        )
      })}
      {opened !== undefined && shown.includes(opened) && (
        <em style={{ left: `${((startOf(opened) - from) / length) * 100}%` }} />
      )}
      <b style={{ width: `${(Math.min(window, length) / length) * 100}%` }} />
    </div>
  )
}
