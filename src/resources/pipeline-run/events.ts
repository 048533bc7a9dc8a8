import type { EventsOf } from '../event-words.ts'

const kinds = {
  initial: 'waits',
  running: 'starts',
  completed: 'completes',
  failed: 'fails',
  cancelled: 'cancels',
} as const
const verbs = {
  initial: 'waits',
  running: 'starts',
  completed: 'completes',
  failed: 'fails',
  cancelled: 'is cancelled',
} as const

/** Descriptions of the scheduled events of runs. */
export const events: EventsOf<'pipeline_runs'> = {
  describe: ({ id, pipeline_uuid: pipeline, status: before }, { status = before }) => ({
    kind: kinds[status],
    text: `Run ${id} of ${pipeline} ${verbs[status]}.`,
  }),
}
