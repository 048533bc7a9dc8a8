import { scriptNotes } from '../pipeline-run/notes.ts'
import type { NotesOf } from '../resource-notes.ts'

const created = '2026-02-01 00:00:00.000000+00:00'

/** Descriptions and examples of the attributes and parameters of schedules, for the OpenAPI document. */
export const notes: NotesOf<'pipeline_schedules'> = {
  title: 'Pipeline schedules',
  description: 'List the schedules (triggers) of pipelines.',
  attributes: {
    id: ['Identifies the schedule.', 3],
    name: ['Name of the schedule.', 'every night'],
    pipeline_uuid: ['Pipeline the schedule belongs to.', 'daily_sales'],
    schedule_type: ['Cause that starts a run.', 'time'],
    start_time: ['When the schedule takes effect.', created],
    schedule_interval: ['How often it runs: `@once`, `@hourly` and the like, or a cron line.', '@hourly'],
    status: ['Whether the schedule starts runs by itself.', 'inactive'],
    variables: ['Key-value variables of its runs.', null],
    sla: ['The time a run may take.', null],
    tags: ['Words by which schedules are found.', ['nightly']],
    token: ['Unique token used to trigger the schedule through the trigger endpoint.', 'night-token'],
    settings: ['Further settings.', { skip_if_previous_running: true }],
    'settings.skip_if_previous_running': ['Whether a run is skipped while the one before it is running.'],
    'settings.allow_blocks_to_fail': ['Whether a run continues after a block failed.'],
    event_matchers: ['Events that start a run; the shape is not documented.', []],
    last_pipeline_run_status: ['Status of the newest run; null without runs.', 'completed'],
    pipeline_runs_count: ['Number of runs.', 2],
    created_at: ['When the schedule was created.', created],
    updated_at: ['When the schedule last changed.', created],
    ...scriptNotes,
    fired_at: ['When the schedule last started a run by itself.'],
    fires_at: [
      'When the schedule next starts a run by itself; where a fixture leaves it out, it is planned.',
    ],
  },
  operations: {
    listPipelineSchedules: 'Read pipeline schedules',
    createPipelineSchedule: 'Create pipeline schedule',
    readPipelineSchedule: 'Read one pipeline schedule',
    updatePipelineSchedule: 'Update pipeline schedule',
    deletePipelineSchedule: 'Delete pipeline schedule',
  },
  parameters: {
    'tag[]': ['Only schedules with at least one of the given tags are returned; may be repeated.', 'nightly'],
  },
  requests: {
    createPipelineSchedule: { name: 'every morning', schedule_interval: '@daily', tags: ['morning'] },
    updatePipelineSchedule: { status: 'active' },
  },
  replies: {
    createPipelineSchedule: {
      id: 4,
      name: 'every morning',
      schedule_interval: '@daily',
      tags: ['morning'],
      token: 'morning-token',
      settings: {},
      last_pipeline_run_status: null,
      pipeline_runs_count: 0,
    },
    updatePipelineSchedule: { status: 'active' },
  },
  assumptions: {
    listPipelineSchedules: ['list-order', 'list-count', 'default-limit'],
    createPipelineSchedule: ['schedule-values', 'schedule-defaults', 'schedule-firing', 'datetime-input'],
    readPipelineSchedule: ['not-found'],
    updatePipelineSchedule: ['schedule-values', 'schedule-firing', 'datetime-input'],
  },
}
