import type { EventsOf } from '../event-words.ts'

const kinds = { running: 'starts', completed: 'completes', failed: 'fails' } as const

export const events: EventsOf<'backfills'> = {
  describe({ name, pipeline_uuid: pipeline, status: before }, { status }) {
    if (status === before || (status !== 'running' && status !== 'completed' && status !== 'failed'))
      return undefined
    return { kind: kinds[status], text: `The backfill "${name}" of ${pipeline} ${kinds[status]}.` }
  },
}
