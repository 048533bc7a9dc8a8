import { endOf, isUnderWay, type Run, startOf } from './pipeline-facts.ts'

const most = 16
const step = 7
const height = 15

/** The last runs as bars: their height is how long they took, their form and colour how they ended. */
export function RunStrip({ runs, now }: { readonly runs: readonly Run[]; readonly now: number }) {
  const shown = runs.toSorted((one, other) => (one.created_at < other.created_at ? -1 : 1)).slice(-most)
  const lengthOf = (run: Run) => endOf(run, now) - startOf(run)
  const longest = Math.max(...shown.map(lengthOf), 1)
  const counts = new Map<string, number>()
  for (const { status } of shown) counts.set(status, (counts.get(status) ?? 0) + 1)
  const words = [...counts].map(([status, count]) => `${count} ${status}`).join(', ')
  const label = shown.length === 0 ? 'no runs yet' : `last ${shown.length} runs: ${words}`
  return (
    <svg class="strip" width={most * step} height="20" role="img" aria-label={label}>
      {shown.length === 0 && <rect class="quiet" x="0" y="17" width={most * step} height="1" />}
      {shown.map((run, index) => {
        const x = (most - shown.length + index) * step
        const tall = Math.max(4, Math.round((lengthOf(run) / longest) * height))
        return (
          <g key={run.id} class={isUnderWay(run) ? 'running' : run.status}>
            {run.status === 'cancelled' ? (
              <rect x={x + 0.5} y={18.5 - tall} width="3" height={tall - 1} />
            ) : (
              <rect x={x} y={18 - tall} width="4" height={tall} />
            )}
            {run.status === 'failed' && <path d={`M${x} ${12 - tall}l4 4m0-4l-4 4`} />}
            {isUnderWay(run) && <circle cx={x + 2} cy={15 - tall} r="1.3" />}
          </g>
        )
      })}
    </svg>
  )
}
