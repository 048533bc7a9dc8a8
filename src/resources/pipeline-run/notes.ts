import type { NotesOf } from '../resource-notes.ts'

const event = { region: 'north', urgent: true }

export const notes: NotesOf<'pipeline_runs'> = {
  title: 'Pipeline runs',
  description: 'Trigger pipeline runs.',
  attributes: {
    id: ['Identifies the run.', 5],
    pipeline_schedule_id: ['Schedule the run belongs to.', 3],
    pipeline_uuid: ['Pipeline that is run.', 'daily_sales'],
    execution_date: ['The moment the run is for.', '2026-03-01 09:00:00.000000+00:00'],
    status: ['`running` directly after a trigger.', 'running'],
    completed_at: ['When the run ended.', null],
    variables: ['Variables of the run.', {}],
    event_variables: ['Copy of the JSON object sent in the trigger request body.', event],
    passed_sla: ['Whether the run took longer than its schedule allows.', false],
    metrics: ['The shape is not documented.', null],
    backfill_id: ['Backfill the run belongs to.', null],
    created_at: ['When the run was created.', '2026-03-01 09:00:00.000000+00:00'],
    updated_at: ['When the run last changed.', '2026-03-01 09:00:00.000000+00:00'],
  },
  requests: {
    triggerPipeline: event,
    createPipelineRun: { event_variables: event },
    updatePipelineRun: { status: 'cancelled' },
  },
  replies: {
    updatePipelineRun: { status: 'cancelled', completed_at: '2026-03-01 09:00:02.000000+00:00' },
  },
  assumptions: {
    triggerPipeline: [
      'trigger-credentials',
      'trigger-body',
      'trigger-inactive',
      'trigger-wrong-token',
      'run-lifecycle',
    ],
    createPipelineRun: ['trigger-routes', 'run-lifecycle'],
    listPipelineRuns: ['list-order', 'list-count', 'default-limit', 'run-filters'],
    readPipelineRun: ['not-found'],
    updatePipelineRun: ['run-values', 'run-lifecycle'],
  },
}
