const written = {
  name: 'catch up',
  start_datetime: '2026-01-01 00:00:00',
  end_datetime: '2026-01-07 00:00:00',
  interval_type: 'day',
  interval_units: 1,
  variables: { region: 'north', full: true },
}

export const pipeline = { name: 'GET one pipeline', method: 'GET', path: '/api/pipelines/pipeline_250' }
export const page = {
  name: 'page of 20 backfills',
  method: 'GET',
  path: '/api/backfills?_limit=20&_offset=100',
}
export const putBackfill = {
  name: 'PUT backfill',
  method: 'PUT',
  path: '/api/backfills/500',
  body: { backfill: { ...written, status: 'completed' } },
}
const postBackfill = {
  name: 'POST backfill',
  method: 'POST',
  path: '/api/pipelines/pipeline_250/backfills',
  body: { backfill: written },
}

/** The requests to each server. Requests that enlarge the tables are last. */
export const workloads = [pipeline, page, putBackfill, postBackfill]
