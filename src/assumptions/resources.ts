import type { AssumptionRow } from './assumption-row.ts'

/** Assumptions about resources and their behavior where the specification is silent. */
export const resourceAssumptions = {
  'delete-refused': {
    section: 'Delete block',
    choice: 'The refusal is 400 record_invalid, naming the downstream blocks, and removes nothing.',
    why: 'The request is the fault, and the client needs the names.',
    observed: '500 with a sentence that names them',
  },
  'force-values': {
    section: 'Delete block',
    choice: 'True, true and 1 force; False, false and 0 do not.',
    why: 'The specification writes True; clients use the spelling of their language.',
    observed: 'any value forces',
  },
  'force-effect': {
    section: 'Delete block',
    choice: 'A forced delete removes the block from the upstream and downstream lists of other blocks.',
    why: 'No list may name a block that is gone.',
    observed: 'same, and joins the blocks below to those above',
  },
  'block-type-query': {
    section: 'Delete block',
    choice: 'The mock ignores a block_type that does not match.',
    why: 'Only the sample shows it.',
    observed: 'ignored',
  },
  'pipeline-uuid-rule': {
    section: 'Pipeline',
    choice:
      'A uuid is in lower case, and every character that is no letter or digit of any script becomes _.',
    why: 'It contains the stated rule, and is safe in a path.',
    observed: 'same, with the prefix letter_ before a digit',
  },
  'block-uuid-rule': {
    section: 'Block',
    choice: 'The same rule as for pipelines.',
    why: 'One rule for both.',
    observed: 'same, but / does not change',
  },
  'pipeline-rename': {
    section: 'Pipeline',
    choice: 'A new name leaves the uuid as it is.',
    why: 'The uuid derives from the name at creation; other records refer to it.',
    observed: 'the uuid follows the name',
  },
  'duplicate-name': {
    section: 'Create pipeline',
    choice: 'A pipeline or block whose uuid exists is 400 record_invalid.',
    why: 'Two records cannot share a path.',
    observed: '500',
  },
  'clone-field': {
    section: 'Create pipeline',
    choice:
      'The clone source is clone_pipeline_uuid; the copy has the blocks and settings, and a new name and uuid.',
    why: 'The name is the one clients use.',
    observed: 'same',
  },
  'conditionals-field': {
    section: 'Create pipeline',
    choice: 'The attribute of the conditionals is conditionals.',
    why: 'The response carries them under that name.',
    observed: 'same',
  },
  'callback-lists': {
    section: 'Pipeline',
    choice:
      'Blocks of type callback, conditional and chart are in callbacks, conditionals and widgets, others in blocks.',
    why: 'The three arrays hold blocks that are not steps.',
    observed: 'same for callbacks and conditionals',
  },
  'pipelines-list-shape': {
    section: 'Read pipelines',
    choice: 'The list is { pipelines, metadata: { count, next } }; items as in create, without extensions.',
    why: 'Rule 3 of the conventions.',
    observed: 'same, with more keys',
  },
  'schedules-key': {
    section: 'Read pipelines',
    choice: 'With include_schedules=1 the triggers are in schedules.',
    why: 'Clients read that key.',
    observed: 'same key, fewer fields',
  },
  'create-block-effects': {
    section: 'Create block',
    choice:
      'A new block joins the downstream lists of its upstream blocks, and every pipeline named in pipelines, at priority.',
    why: 'A read must return the graph that a client builds.',
    observed: 'upstream links yes',
  },
  'unknown-upstream': {
    section: 'Create block',
    choice: 'Names in upstream_blocks that are no block of the pipeline have no effect.',
    why: 'Clients send [""] for a block without upstream.',
    observed: 'dropped',
  },
  'create-block-nulls': {
    section: 'Create block',
    choice:
      'What was not sent: config null, configuration {}, upstream_blocks [], priority the position, content "".',
    why: 'The reply lists eight fields, always.',
    observed: 'a whole block instead',
  },
  'block-language': {
    section: 'Block',
    choice: 'A block without a language is python.',
    why: 'The field is never null in a read block.',
    observed: 'null or python, by type',
  },
  'block-newlines': {
    section: 'Create block',
    choice: '/n in content does not change in storage and replies.',
    why: 'The specification writes newlines that way and shows no conversion.',
    observed: 'verbatim',
  },
  'block-status': {
    section: 'Block',
    choice: 'Other values of status: updated, executed, failed.',
    why: 'A block that ran has a state.',
    observed: 'same',
  },
  'backfill-status-on-create': {
    section: 'Create backfill',
    choice: 'Create takes every writable attribute but status.',
    why: 'A new backfill has a null status.',
    observed: 'same',
  },
  'backfill-other-pipeline': {
    section: 'Update backfill',
    choice: 'A nested path through another pipeline is 404 record_not_found.',
    why: 'The path names a record that does not exist.',
    observed: 'accepted',
  },
  'backfill-life': {
    section: 'States and transitions',
    choice:
      'A backfill set to initial reads initial for one second, then runs, one run per planned date (at most 1,000), and ends with them; cancelled stops them.',
    why: 'What a client sets is what it reads back; then something must happen.',
    observed: 'real work',
  },
  'run-count': {
    section: 'Read backfills',
    choice:
      'total_run_count counts the planned dates, both ends included; 0 without dates. true, True and 1 ask for it.',
    why: 'It is what the backfill will run.',
    observed: 'same; absent without dates',
  },
  'schedule-values': {
    section: 'Pipeline schedule',
    choice: 'Types time, api, event; statuses active, inactive; intervals @once … @always_on or a cron line.',
    why: 'Clients offer these.',
    observed: 'same',
  },
  'schedule-defaults': {
    section: 'Pipeline schedule',
    choice: 'A schedule without start_time starts at its creation; without an interval it runs @once.',
    why: 'The specification shows neither field as null.',
    observed: 'null',
  },
  'schedule-firing': {
    section: 'Pipeline schedule',
    choice:
      'An active schedule of type time starts runs by itself, in UTC: on the hour, at midnight, on Sundays, on the first of the month, by its cron line, once, or whenever its run has ended; never for a time before it became active. An active @once schedule of a fixture whose start has come has fired already.',
    why: 'Schedules exist for this; a fixture describes the past.',
  },
  'run-values': {
    section: 'Pipeline run',
    choice: 'Statuses: initial, running, completed, failed, cancelled.',
    why: 'The same as of a backfill.',
    observed: 'same; initial directly after a trigger',
  },
  'run-lifecycle': {
    section: 'States and transitions',
    choice:
      'A run completes five seconds after its trigger, on the clock of the understudy; scripts change that.',
    why: 'Clients poll until it ends.',
    observed: 'real work',
  },
  'run-filters': {
    section: 'Pipeline run',
    choice: 'The parameters pipeline_uuid and status narrow the list of runs.',
    why: 'Clients that poll send them.',
    observed: 'same',
  },
  'trigger-body': {
    section: 'Trigger pipeline',
    choice:
      'event_variables copies the body whatever its keys; no body gives {}; an array or a scalar is 400 record_invalid.',
    why: 'The body is a JSON object of free-form variables.',
    observed: 'pipeline_run.variables becomes variables; no body gives null',
  },
  'trigger-inactive': {
    section: 'Trigger pipeline',
    choice: 'A client can trigger an inactive schedule.',
    why: 'The samples show inactive schedules with tokens.',
    observed: 'allowed, and the schedule is active from then on',
  },
  'trigger-routes': {
    section: 'Trigger pipeline',
    choice: 'POST /api/pipeline_schedules/:id/pipeline_runs starts a run too, by the conventions.',
    why: 'Rule 5: the path of a creation is below its parent.',
    observed: 'same, and api_trigger',
  },
  'trigger-wrong-token': {
    section: 'Trigger pipeline',
    choice: 'A wrong id and a wrong token are the same 404 record_not_found.',
    why: 'The reply must not reveal which ids exist.',
    observed: '500',
  },
  'logs-limit': {
    section: 'Read logs',
    choice: '_limit and _offset page each of the two arrays; the totals do not change; logs has one entry.',
    why: 'Totals are what a pager divides.',
    observed: '_offset ignored',
  },
  'log-lines': {
    section: 'Pipeline logs entry',
    choice: 'A log file of a run has a plain sentence on each line, after the time.',
    why: 'Content is a string without a specified format.',
    observed: 'a JSON object with level and message on each line, after the time',
  },
  'logs-timestamp': {
    section: 'Read logs',
    choice: 'start_timestamp is in seconds since the epoch; the mock compares it with the time of the file.',
    why: 'An integer timestamp is seconds nearly everywhere.',
    observed: 'same',
  },
} as const satisfies Record<string, AssumptionRow>
