import { defineRules } from './define-rules.ts'

const tags = '`tag[]` | query | string | Only schedules with the tag are returned.'
const twoTags =
  'With two or more `tag[]` parameters a schedule is returned when it has at least one of the tags.'
const runs =
  '`POST /api/pipeline_schedules/:pipeline_schedule_id/pipeline_runs/:token` runs a pipeline through an API request.'
const response =
  'Response: `{ pipeline_run: <Pipeline run> }`, with `event_variables` equal to the body and `status` `running`.'

/** Rules about schedules and the trigger. */
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
        'The list is under `pipeline_schedules` with `metadata`.',
        'Response: `{ pipeline_schedules: [<Pipeline schedule>], metadata: { count, next } }`.',
        { needs: [], effects: 'writes' },
      ],
      [
        'belongs',
        'All returned schedules are of the pipeline in the path.',
        'All returned schedules belong to this pipeline.',
      ],
      ['one-tag', '`tag[]` returns only schedules with that tag.', tags],
      ['two-tags', 'Two `tag[]` return schedules with at least one of them.', twoTags],
      ['no-such-tag', 'A `tag[]` that no schedule has returns none.', tags],
      ['encoded-tag', '`tag%5B%5D` is read as `tag[]`.', tags, { source: 'inferred' }],
      ['token-unique', 'No two schedules have the same `token`.', { section: 'Pipeline schedule' }],
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
      ['returns-run', 'The reply is the new run under `pipeline_run`.', response],
      ['running', 'The `status` of the run is `running`.', response],
      ['event-variables', '`event_variables` equal the body.', response],
      ['nested-variables', '`event_variables` hold nested values of the body as they were sent.', response],
      ['empty-body', 'An empty object gives empty `event_variables`.', response],
      [
        'schedule',
        'The run belongs to the schedule in the path.',
        '`pipeline_schedule_id` | path | integer, required | Schedule the run belongs to.',
      ],
      ['pipeline', 'The run belongs to the pipeline of the schedule.', runs],
      ['variables', '`variables` is an empty object.', { section: 'Pipeline run', source: 'example' }],
      ['not-completed', '`completed_at` of a new run is null.', response, { source: 'inferred' }],
      ['wrong-token', 'A wrong `token` is an error.'],
      [
        'wrong-schedule',
        'A schedule id that does not match the token is an error.',
        'trigger pipeline | schedule id and token in the path match |',
        { section: 'States and transitions' },
      ],
      ['new-run-each-time', 'Each trigger creates a run of its own.', runs],
    ],
  ),
]
