const hourly = {
  pipeline_uuid: 'busy',
  schedule_type: 'time',
  schedule_interval: '@hourly',
  status: 'active',
}

/** A pipeline of which so much is due after four weeks that it takes several slices. */
export const busy = { pipelines: [{ name: 'busy' }], pipeline_schedules: Array(10).fill(hourly) }

/** In milliseconds. */
export const fourWeeks = 28 * 86_400_000

/** What creates a pipeline. */
export const creation = {
  method: 'POST',
  headers: { 'content-type': 'application/json' },
  body: JSON.stringify({ pipeline: { name: 'mine', type: 'python' } }),
}
