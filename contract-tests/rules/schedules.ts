import { defineRules } from './define-rules.ts'

/** Schedules, and the trigger that runs them. */
export const scheduleRules = [
  ...defineRules(
    {
      section: 'Read pipeline schedules',
      prefix: 'schedule-list',
      operation: 'listPipelineSchedules',
      needs: ['schedule'],
    },
    [
      [
        'envelope',
        'The list stands under pipeline_schedules with metadata.',
        { needs: [], effects: 'writes' },
      ],
      ['belongs', 'All returned schedules belong to the pipeline in the path.'],
      ['one-tag', 'tag[] returns only schedules with that tag.'],
      ['two-tags', 'Two tag[] return schedules with at least one of them.'],
      ['no-such-tag', 'A tag that no schedule has returns none.'],
      ['encoded-tag', 'tag%5B%5D is read as tag[].', { source: 'inferred' }],
      ['token-unique', 'No two schedules share a token.', { section: 'Pipeline schedule' }],
    ],
  ),
  ...defineRules(
    {
      section: 'Trigger pipeline',
      prefix: 'trigger',
      operation: 'triggerPipeline',
      effects: 'writes',
      needs: ['trigger'],
    },
    [
      ['returns-run', 'The reply is the new run under pipeline_run.'],
      ['running', 'The run is running.'],
      ['event-variables', 'event_variables equal the body.'],
      ['nested-variables', 'Nested values of the body come back as they were sent.'],
      ['empty-body', 'An empty object gives empty event_variables.'],
      ['schedule', 'The run belongs to the schedule in the path.'],
      ['pipeline', 'The run belongs to the pipeline of the schedule.'],
      ['variables', 'variables is an empty object.', { source: 'example' }],
      ['not-completed', 'completed_at of a new run is null.', { source: 'inferred' }],
      ['wrong-token', 'A wrong token is an error.'],
      ['wrong-schedule', 'A wrong schedule id is an error.'],
      ['new-run-each-time', 'Each trigger makes a run of its own.'],
    ],
  ),
]
