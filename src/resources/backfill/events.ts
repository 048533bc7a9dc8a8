import { plannedDates } from '../../wire/intervals.ts'
import { limits } from '../../wire/limits.ts'
import type { EventsOf } from '../event-words.ts'

export const events: EventsOf<'backfills'> = {
  tells(backfill, { status = backfill.status }) {
    const subject = `The backfill "${backfill.name}" of ${backfill.pipeline_uuid}`
    if (status === 'completed') return { kind: 'completes', text: `${subject} completes.` }
    if (status === 'failed') return { kind: 'fails', text: `${subject} fails.` }
    if (status === backfill.status) return undefined
    const { length } = plannedDates(backfill, limits.backfillRuns)
    return { kind: 'starts', text: `${subject} starts with ${length} ${length === 1 ? 'run' : 'runs'}.` }
  },
}
