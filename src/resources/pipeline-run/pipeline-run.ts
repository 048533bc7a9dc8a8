import { defineResource } from '../define-resource.ts'
import { countRead, endStep, planRun, predictRun } from './life.ts'
import {
  createPipelineRun,
  deletePipelineRun,
  listPipelineRuns,
  readPipelineRun,
  triggerPipeline,
  updatePipelineRun,
} from './operations.ts'
import { attributes, references } from './schema.ts'

/** The resource of runs: one row of the table. */
export const pipelineRun = defineResource(
  'pipeline_runs',
  {
    singular: 'pipeline_run',
    key: 'id',
    attributes,
    references,
    shownIn: 'pipeline_schedule_id',
    order: { by: 'created_at', newestFirst: true },
    presents: [
    'id', 'pipeline_schedule_id', 'pipeline_uuid', 'execution_date', 'status', 'completed_at', 'variables',
    'event_variables', 'passed_sla', 'metrics', 'backfill_id', 'created_at', 'updated_at',
  ], // biome-ignore format: one list, in the document's order
    counts: 'reads_left',
    sharesWithParents: 'pipeline_uuid',
    operations: [
      triggerPipeline,
      createPipelineRun,
      listPipelineRuns,
      readPipelineRun,
      updatePipelineRun,
      deletePipelineRun,
    ],
  },
  {
    complete: (record, { now }) => ({
      created_at: now,
      updated_at: record.completed_at ?? record.created_at ?? now,
      execution_date: record.created_at ?? now,
      ...record,
    }),
    plan: planRun,
    due: { at: 'ends_at', run: endStep, predicts: predictRun },
    onRead: countRead,
    // The end of an ended run is now.
    factoryDefaults: ({ status = 'running' }, model) =>
      status === 'running' ? {} : { completed_at: model.now() },
  },
)
