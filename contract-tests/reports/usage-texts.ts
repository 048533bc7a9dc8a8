import { groupByCause } from '../runner/causes.ts'
import { unusedReason } from '../traffic/usage.ts'
import { counted, type Report, type Summary } from './report.ts'

/** Describes the use of each operation by consumers, then the unused deviations; empty without consumers. */
export function usageTexts({ usage }: Report, { known }: Summary): string[] {
  if (usage === undefined) return []
  const operations = usage.map(({ operation, requests, unused }) =>
    requests === 0
      ? `${operation}: unused`
      : `${operation}: ${counted(requests, 'request')}; unused: ${unused.join(', ') || 'nothing'}`,
  )
  const deviations = known.filter(({ evidence }) => evidence.known === unusedReason)
  const groups = groupByCause(deviations, () => false).map(({ first, others }) => {
    const more = others.length === 0 ? '' : ` (${others.length} more for the same reason)`
    return `Unused, not counted: ${first.evidence.headline}${more}`
  })
  return [...operations, ...groups]
}
