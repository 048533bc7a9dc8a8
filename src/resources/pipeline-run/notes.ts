import type { NotesOf } from '../resource-notes.ts'

/** The notes on a script, for the resources whose records have one. */
export const scriptNotes = {
  run_script: [
    'How runs go: a text such as `running for 3 reads, then failed`, `initial for 1 read, then running for 20s` or ' +
      '`running until advanced`; or the status they end with and after how long.',
  ],
  'run_script.ends_as': ['The status the run ends with; `never`: it stays running.'],
  'run_script.after': ['How long the run takes: milliseconds, or a text such as `20s`.'],
} as const satisfies Partial<NotesOf<'pipeline_runs'>['attributes']>

const event = { region: 'north', urgent: true }

export const notes: NotesOf<'pipeline_runs'> = {
  title: 'Pipeline runs',
  description: 'Trigger pipeline runs.',
  attributes: {
    id: ['Identifies the run.', 5],
    pipeline_schedule_id: ['Schedule the run belongs to.', 3],
    pipeline_uuid: ['Pipeline that is run.', 'daily_sales'],
    execution_date: ['The time the run is for.', '2026-03-01 09:00:00.000000+00:00'],
    status: ['How far the run is: `running` directly after a trigger.', 'running'],
    completed_at: ['When the run ended.', null],
    variables: ['Variables of the run.', {}],
    event_variables: ['Copy of the JSON object sent in the trigger request body.', event],
    passed_sla: ['Whether the run took longer than its schedule allows.', false],
    metrics: ['Measures of the run; the shape is not documented.', null],
    backfill_id: ['Backfill the run belongs to.', null],
    created_at: ['When the run was created.', '2026-03-01 09:00:00.000000+00:00'],
    updated_at: ['When the run last changed.', '2026-03-01 09:00:00.000000+00:00'],
    ...scriptNotes,
    ends_at: ['When the present step of the run is over.'],
    reads_left: ['How many reads the present step of the run still lasts for.'],
    next_steps: ['Remaining steps of the run; `run_script` writes them.'],
    'next_steps[].status': ['The status of the run in this step.'],
    'next_steps[].time': ['How long the step lasts, in milliseconds.'],
    'next_steps[].reads': ['How many reads the step lasts for.'],
    ends_as: ['How the run ends at `ends_at` where it has no `next_steps`.'],
  },
  operations: {
    triggerPipeline: 'Trigger pipeline',
    createPipelineRun: 'Create pipeline run',
    listPipelineRuns: 'Read pipeline runs',
    readPipelineRun: 'Read one pipeline run',
    updatePipelineRun: 'Update pipeline run',
    deletePipelineRun: 'Delete pipeline run',
  },
  parameters: {
    pipeline_uuid: ['Pipeline whose runs are read.', 'daily_sales'],
    status: ['Only runs in this status are returned.', 'running'],
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
