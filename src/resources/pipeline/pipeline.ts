import { toUuid } from '../../shared/uuid-rule.ts'
import { textOf } from '../../shared/values.ts'
import { defineResource } from '../define-resource.ts'
import { countReadOfNewest } from '../pipeline-run/life.ts'
import { createPipeline, deletePipeline, listPipelines, readPipeline, updatePipeline } from './operations.ts'
import { derived, presents } from './presenter.ts'
import { attributes } from './schema.ts'

/** The resource of pipelines: one row of the table. */
export const pipeline = defineResource(
  'pipelines',
  {
    singular: 'pipeline',
    key: 'uuid',
    displayName: 'name',
    attributes,
    order: { by: 'uuid' },
    presents,
    derived,
    operations: [createPipeline, listPipelines, readPipeline, updatePipeline, deletePipeline],
  },
  {
    onRead(record, model, shows) {
      if (!shows('schedules')) return
      for (const schedule of model.table('pipeline_schedules').where('pipeline_uuid', record.uuid))
        countReadOfNewest(schedule, model)
    },
    // Not validated yet: the name may not be a text.
    complete: (record) => ({ uuid: toUuid(textOf(record.name)), name: record.uuid, ...record }),
  },
)
