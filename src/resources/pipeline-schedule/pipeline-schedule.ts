import { seededHex } from '../../shared/seeded.ts'
import { defineResource } from '../define-resource.ts'
import { countReadOfNewest } from '../pipeline-run/life.ts'
import { fireSchedule, predictFiring } from './firing.ts'
import {
  createPipelineSchedule,
  deletePipelineSchedule,
  listPipelineSchedules,
  readPipelineSchedule,
  updatePipelineSchedule,
} from './operations.ts'
import { implyFiring, planFiring, resumeAfter } from './plan.ts'
import { derived, presents } from './presenter.ts'
import { attributes, references } from './schema.ts'

/** The resource of schedules: one row of the table. */
export const pipelineSchedule = defineResource(
  'pipeline_schedules',
  {
    singular: 'pipeline_schedule',
    key: 'id',
    displayName: 'name',
    attributes,
    references,
    shownIn: 'pipeline_uuid',
    order: { by: 'created_at', newestFirst: true },
    presents,
    derived,
    secrets: ['token'],
    operations: [
      listPipelineSchedules,
      createPipelineSchedule,
      readPipelineSchedule,
      updatePipelineSchedule,
      deletePipelineSchedule,
    ],
  },
  {
    complete: (record, { id, now, seed }) => ({
      name: `trigger ${id}`,
      created_at: now,
      updated_at: record.created_at ?? now,
      start_time: record.created_at ?? now,
      token: seededHex(seed, `pipeline_schedule ${id}`),
      ...record,
    }),
    plan: planFiring,
    due: {
      at: 'fires_at',
      run: fireSchedule,
      predicts: predictFiring,
      skip: (record, model, until) =>
        void model.table('pipeline_schedules').change(record, { fires_at: resumeAfter(record, until) }),
    },
    impliesPast: implyFiring,
    onRead: countReadOfNewest,
  },
)
