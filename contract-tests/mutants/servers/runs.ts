import { accepts, omits, onBody, onRecords, sets } from '../changes.ts'
import type { BrokenServer } from '../define-mutant.ts'
import { says, yes } from './one-line-servers.ts'

const long = '2026-01-31 12:00:00.000000+00:00'
const short = '2026-01-31 12:00:00'

/** Servers that are wrong about triggers and the runs that they start. */
export const runs: readonly BrokenServer[] = [
  { name: 'run-initial', breaks: 'trigger/running', reply: sets('triggerPipeline', { status: 'initial' }) },
  {
    name: 'run-without-event-variables',
    breaks: 'trigger/event-variables',
    reply: sets('triggerPipeline', { event_variables: {} }),
  },
  {
    name: 'run-flattens-variables',
    breaks: 'trigger/nested-variables',
    reply: onRecords('triggerPipeline', (record) => ({
      ...record,
      event_variables: Object.fromEntries(
        Object.entries((record.event_variables ?? {}) as object).map(([key, value]) => [
          key,
          typeof value === 'object' ? String(value) : value,
        ]),
      ),
    })),
  },
  {
    name: 'run-completed-at-once',
    breaks: 'trigger/not-completed',
    reply: sets('triggerPipeline', { completed_at: long }),
  },
  {
    name: 'short-run-timestamps',
    breaks: 'timestamps/runs',
    reply: sets('triggerPipeline', { created_at: short }),
  },
  {
    name: 'run-of-another-schedule',
    breaks: 'trigger/schedule',
    reply: sets('triggerPipeline', { pipeline_schedule_id: 999 }),
  },
  {
    name: 'any-token-triggers',
    breaks: 'trigger/wrong-token',
    reply: accepts('triggerPipeline', { pipeline_run: {} }, ({ path }) => path.includes('/not-')),
  },
  {
    name: 'run-envelope',
    breaks: 'trigger/returns-run',
    reply: onBody('triggerPipeline', (body) => ({ run: body.pipeline_run })),
  },
  { name: 'one-run-for-all', breaks: 'trigger/new-run-each-time', reply: sets('triggerPipeline', { id: 1 }) },
  says('run-queued', 'backfill-states/run-running', 'triggerPipeline', { status: 'queued' }),
  {
    name: 'run-hides-event-variables',
    breaks: 'backfill-states/run-variables',
    reply: omits('triggerPipeline', 'event_variables'),
  },
  {
    name: 'empty-body-is-null',
    breaks: 'trigger/empty-body',
    reply: onRecords('triggerPipeline', (record, { body }) =>
      Object.keys(body as object).length > 0 ? record : { ...record, event_variables: null },
    ),
  },
  says('run-of-another-pipeline', 'trigger/pipeline', 'triggerPipeline', { pipeline_uuid: 'another' }),
  says('run-with-variables', 'trigger/variables', 'triggerPipeline', { variables: { partition: 1 } }),
  yes(
    'any-schedule-triggers',
    'trigger/wrong-schedule',
    'triggerPipeline',
    { pipeline_run: {} },
    ({ path }) => path.includes('/999999999/'),
  ),
]
