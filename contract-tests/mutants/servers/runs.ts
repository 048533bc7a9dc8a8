import { isObject } from '../../runner/is-object.ts'
import { accepts, omits, onBody, onRecords, sets } from '../changes.ts'
import { defineMutants } from './define-mutants.ts'

const long = '2026-01-31 12:00:00.000000+00:00'
const short = '2026-01-31 12:00:00'

/** Mutants of triggers, and of the runs that they start. */
export const runs = defineMutants({
  'run-initial': ['trigger-pipeline/values', sets('triggerPipeline', { status: 'initial' })],
  'run-without-event-variables': [
    'trigger-pipeline/values',
    sets('triggerPipeline', { event_variables: {} }),
  ],
  'run-flattens-variables': [
    'trigger-pipeline/values',
    onRecords('triggerPipeline', (record) => ({
      ...record,
      event_variables: Object.fromEntries(
        Object.entries(isObject(record.event_variables) ? record.event_variables : {}).map(([key, value]) => [
          key,
          typeof value === 'object' ? String(value) : value,
        ]),
      ),
    })),
  ],
  'run-completed-at-once': ['trigger/not-completed', sets('triggerPipeline', { completed_at: long })],
  'short-run-timestamps': ['trigger-pipeline/timestamps', sets('triggerPipeline', { created_at: short })],
  'run-of-another-schedule': [
    'trigger-pipeline/values',
    sets('triggerPipeline', { pipeline_schedule_id: 999 }),
  ],
  'any-token-triggers': [
    'trigger-pipeline/refuses',
    accepts('triggerPipeline', { pipeline_run: {} }, ({ path }) => !path.includes('/999999999/')),
  ],
  'run-envelope': [
    'trigger-pipeline/envelope',
    onBody('triggerPipeline', (body) => ({ run: body.pipeline_run })),
  ],
  'one-run-for-all': ['trigger-pipeline/values', sets('triggerPipeline', { id: 1 })],
  'run-queued': ['trigger-pipeline/values', sets('triggerPipeline', { status: 'queued' })],
  'run-hides-event-variables': ['trigger-pipeline/attributes', omits('triggerPipeline', 'event_variables')],
  'empty-body-is-null': [
    'trigger-pipeline/values',
    onRecords('triggerPipeline', (record, { body }) =>
      isObject(body) && Object.keys(body).length > 0 ? record : { ...record, event_variables: null },
    ),
  ],
  'run-of-another-pipeline': [
    'trigger-pipeline/values',
    sets('triggerPipeline', { pipeline_uuid: 'another' }),
  ],
  'run-with-variables': ['trigger/variables', sets('triggerPipeline', { variables: { partition: 1 } })],
  'any-schedule-triggers': [
    'trigger-pipeline/refuses',
    accepts('triggerPipeline', { pipeline_run: {} }, ({ path }) => path.includes('/999999999/')),
  ],
})
