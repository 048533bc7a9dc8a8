import type { EventsOf } from '../event-words.ts'

export const events: EventsOf<'pipeline_schedules'> = {
  describe({ name, pipeline_uuid: pipeline, fires_at: due }, { fired_at: fired }) {
    const schedule = `The schedule "${name}" of ${pipeline}`
    return fired === due
      ? { kind: 'fires', text: `${schedule} fires.` }
      : { kind: 'skips', text: `${schedule} does not fire: its run is still under way.` }
  },
}
