/** Creates a backfill like a hand-written server. */
export function newBackfill(id, pipelineUuid, written) {
  const now = new Date().toISOString().slice(0, 19).replace('T', ' ')
  return {
    id,
    name: written.name,
    pipeline_uuid: pipelineUuid,
    pipeline_schedule_id: null,
    block_uuid: written.block_uuid ?? null,
    start_datetime: written.start_datetime ?? null,
    end_datetime: written.end_datetime ?? null,
    interval_type: written.interval_type ?? null,
    interval_units: written.interval_units ?? null,
    status: null,
    variables: written.variables ?? null,
    metrics: null,
    created_at: now,
    updated_at: now,
    started_at: null,
    completed_at: null,
    failed_at: null,
  }
}
