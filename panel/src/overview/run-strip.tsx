import { endOf, type Run, startOf } from './pipeline-facts.ts'

const most = 16

/** The last runs as bars: their height is how long they took, their form and colour how they ended. */
export function RunStrip({ runs, now }: { readonly runs: readonly Run[]; readonly now: number }) {
  const shown = runs.toSorted((one, other) => (one.created_at < other.created_at ? -1 : 1)).slice(-most)
  const lengthOf = (run: Run) => endOf(run, now) - startOf(run)
  const longest = Math.max(...shown.map(lengthOf), 1)
  const counts = new Map<string, number>()
  for (const { status } of shown) counts.set(status, (counts.get(status) ?? 0) + 1)
  const words = [...counts].map(([status, count]) => `${count} ${status}`).join(', ')
  return (
    <span
      class="strip"
      role="img"
      aria-label={shown.length === 0 ? 'no runs yet' : `last ${shown.length} runs: ${words}`}
    >
      {shown.map((run) => {
        const height = `${Math.round((lengthOf(run) / longest) * 100)}%`
        return <i key={run.id} class={`bar ${run.status}`} style={{ height }} />
      })}
    </span>
  )
}
