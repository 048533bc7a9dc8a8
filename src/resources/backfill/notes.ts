import { scriptNotes } from '../pipeline-run/notes.ts'
import type { NotesOf } from '../resource-notes.ts'

const plan = {
  start_datetime: '2026-01-01 00:00:00',
  end_datetime: '2026-01-31 00:00:00',
  interval_type: 'day',
  interval_units: 1,
} as const

/** Descriptions and examples of the attributes and parameters of backfills, for the OpenAPI document. */
export const notes: NotesOf<'backfills'> = {
  title: 'Backfills',
  description: 'Create, read, update and delete backfills.',
  attributes: {
    id: ['Identifies the backfill.', 7],
    name: ['Name of the backfill.', 'january'],
    pipeline_uuid: ['Pipeline that is backfilled.', 'daily_sales'],
    pipeline_schedule_id: ['Schedule its runs belong to.', null],
    block_uuid: ['Block that is backfilled, where it is not the whole pipeline.', null],
    start_datetime: ['First date that is run.', '2026-01-01 00:00:00.000000+00:00'],
    end_datetime: ['Last date that is run.', '2026-01-31 00:00:00.000000+00:00'],
    interval_type: ['Unit between two dates that are run.', 'day'],
    interval_units: ['Number of interval units between two dates that are run.', 1],
    status: ['How far the backfill is: null on a new one; any of the values may be set.', null],
    variables: ['Global pipeline variables overridden by the backfill.', { region: 'north' }],
    metrics: ['Measures of the backfill; the shape is not documented.', null],
    created_at: ['When the backfill was created.', '2026-02-01 08:30:00.000000+00:00'],
    updated_at: ['When the backfill last changed.', '2026-02-01 08:30:00.000000+00:00'],
    started_at: ['When the backfill started; null on a new one.', null],
    completed_at: ['When the backfill was completed; null on a new one.', null],
    failed_at: ['When the backfill failed; null on a new one.', null],
    total_run_count: ['Number of planned runs, where `include_run_count` is set.', 31],
    ...scriptNotes,
    due_at: ['When its runs begin or have all ended, whichever comes next.'],
  },
  operations: {
    listBackfills: 'Read backfills',
    createBackfill: 'Create backfill',
    readBackfill: 'Read one backfill',
    updateBackfill: 'Update backfill',
    deleteBackfill: 'Delete backfill',
  },
  routes: {
    createBackfill: { PUT: 'One sample request uses PUT on the same path; the documented method is POST.' },
  },
  parameters: {
    pipeline_uuid: ['Pipeline whose backfills are read.', 'daily_sales'],
    include_run_count: ['Whether items carry `total_run_count`.', true],
  },
  requests: {
    createBackfill: { name: 'february' },
    updateBackfill: { ...plan, status: 'initial', variables: { region: 'north' } },
  },
  replies: {
    createBackfill: {
      id: 8,
      name: 'february',
      start_datetime: null,
      end_datetime: null,
      interval_type: null,
      interval_units: null,
      variables: null,
      created_at: '2026-03-01 09:00:00',
      updated_at: '2026-03-01 09:00:00',
    },
    updateBackfill: { status: 'initial', updated_at: '2026-03-01 09:00:00' },
  },
  assumptions: {
    listBackfills: ['run-count', 'timestamps-list', 'list-order', 'list-count', 'default-limit'],
    createBackfill: ['backfill-status-on-create', 'datetime-input'],
    readBackfill: ['timestamps-list', 'not-found'],
    updateBackfill: ['backfill-other-pipeline', 'backfill-life', 'datetime-input'],
  },
}
