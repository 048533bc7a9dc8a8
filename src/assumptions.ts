import { parseDuration } from './wire/timestamps.ts'

/** One point on which the document is silent or contradicts itself, and what the understudy does there. */
export interface Assumption {
  /** The heading of the document where the silence is. */
  readonly section: string
  /** What the understudy does. */
  readonly choice: string
  /** Why, or what speaks for it. */
  readonly why: string
  /** What an independent server of this API, Mage AI 0.9.79, was seen to do. */
  readonly observed?: string
  /** The values `createUnderstudy({ assumptions })` takes for it, the default first; absent where it has no switch. */
  readonly values?: readonly string[]
}

const table = {
  'session-path': {
    section: 'Summary',
    choice: 'Sessions are created by POST /api/sessions with email (or username) and password.',
    why: 'The generic layout gives the path; sign-in needs a name and a password.',
    observed: 'same',
  },
  'session-fields': {
    section: 'Session',
    choice: 'A session carries token, expires and user (id, username, email).',
    why: 'Clients show who is signed in and for how long.',
    observed: 'same, with more about the user',
  },
  'token-decoding': {
    section: 'Authentication',
    choice:
      'A raw token is a JSON Web Token (HS256) with the payload { token, expires }; expires is in seconds.',
    why: 'Clients in the wild decode it that way.',
    observed: 'same',
  },
  bearer: {
    section: 'Authentication',
    choice: 'Authorization: Bearer takes the decoded token, and the raw one too.',
    why: 'The document shows a long bearer credential and does not say which token it is.',
    observed: 'decoded accepted, raw refused',
    values: ['decoded or raw', 'decoded'],
  },
  'trigger-credentials': {
    section: 'Authentication',
    choice: 'The trigger needs nothing but the token in its path.',
    why: 'It is shown without any other credential.',
    observed: 'same',
  },
  'auth-mode': {
    section: 'Authentication',
    choice:
      'Nothing is checked unless asked for: auth is open, key (API key) or login (API key and OAuth token).',
    why: 'A mock that refuses its first request is no help.',
    observed: 'off: nothing is checked; on: both are',
  },
  'api-key-error': {
    section: 'Errors',
    choice: 'A missing or wrong API key is error 401 invalid_api_key, with HTTP 200 as everywhere.',
    why: 'Every response carries HTTP 200.',
    observed: 'same body, but HTTP 401',
  },
  'oauth-error': {
    section: 'Errors',
    choice:
      'No OAuth token: 403 unauthorized_access. An unknown one: 401 invalid_oauth_token. An expired one: 401 expired_oauth_token.',
    why: 'Clients tell the three apart to know whether to sign in again.',
    observed: 'same codes; HTTP 401 for the last two',
  },
  'token-lifetime': {
    section: 'Limits',
    choice: 'A token lives 30 days.',
    why: 'Long enough that no demo signs out.',
    observed: '30 days',
  },
  'not-found': {
    section: 'Errors',
    choice: 'An unknown record, parent or path is 404 record_not_found, naming it.',
    why: 'It is the one type the document names.',
    observed: '404 for records, 500 for pipelines, 400 for blocks',
  },
  'invalid-body': {
    section: 'Errors',
    choice:
      'Malformed JSON, a missing envelope key or required field, a wrong type or a value outside its list is 400 record_invalid, naming the field; nothing is written.',
    why: 'A wrong request must be seen in the client that sends it.',
    observed: '500 with a traceback, or stored as it is',
  },
  'content-type': {
    section: 'Endpoints',
    choice: 'A body whose Content-Type is not JSON is 400 record_invalid; a missing one is taken for JSON.',
    why: 'All request bodies are JSON, the document says.',
    observed: 'not checked',
    values: ['checked', 'ignored'],
  },
  'unknown-attributes': {
    section: 'What the service does',
    choice: 'Attributes that the policy of an action does not list are ignored.',
    why: 'Clients send whole records back.',
    observed: 'ignored for pipelines, 500 for schedules',
    values: ['ignored', 'refused'],
  },
  'datetime-input': {
    section: 'Resources and their fields',
    choice: 'A request datetime may have either documented form.',
    why: 'A client that read a record in the long form can send it back.',
    observed: 'same, and others',
  },
  'method-not-allowed': {
    section: 'Errors',
    choice: 'A known path with another method is 405 method_not_allowed, naming those that work.',
    why: 'The same envelope everywhere.',
    observed: 'HTTP 405 without a body',
  },
  'body-limit': {
    section: 'Limits',
    choice: 'A body over 10 MB is 413 payload_too_large.',
    why: 'A server must bound what it reads.',
  },
  'delete-refused': {
    section: 'Delete block',
    choice: 'The refusal is 400 record_invalid, naming the downstream blocks; nothing is removed.',
    why: 'The request is the fault, and the client needs the names.',
    observed: '500 with a sentence that names them',
  },
  'force-values': {
    section: 'Delete block',
    choice: 'True, true and 1 force; False, false and 0 do not.',
    why: 'The document writes True; other clients write their own language.',
    observed: 'any value forces',
  },
  'force-effect': {
    section: 'Delete block',
    choice: 'A forced delete takes the block out of the upstream and downstream lists of its neighbours.',
    why: 'No list may name a block that is gone.',
    observed: 'same',
  },
  'block-type-query': {
    section: 'Delete block',
    choice: 'A block_type that does not match is ignored.',
    why: 'Only the sample shows it.',
    observed: 'ignored',
  },
  'pipeline-uuid-rule': {
    section: 'Pipeline',
    choice:
      'A uuid is in lower case, and every character that is no letter or digit of any script becomes _.',
    why: 'It contains the stated rule, and is safe in a path.',
    observed: 'same',
  },
  'block-uuid-rule': {
    section: 'Block',
    choice: 'The same rule as for pipelines.',
    why: 'One rule for both.',
    observed: 'same, but / is kept',
  },
  'pipeline-rename': {
    section: 'Pipeline',
    choice: 'A new name leaves the uuid as it is.',
    why: 'The uuid is derived when a record is created; other records refer to it.',
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
    choice: 'The clone source is clone_pipeline_uuid; blocks and settings are copied, name and uuid are new.',
    why: 'The name is the one clients use.',
    observed: 'same',
  },
  'conditionals-field': {
    section: 'Create pipeline',
    choice: 'The conditionals are sent as conditionals.',
    why: 'The response carries them under that name.',
    observed: 'same',
  },
  'callback-lists': {
    section: 'Pipeline',
    choice:
      'Blocks of type callback, conditional and chart stand in callbacks, conditionals and widgets, others in blocks.',
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
    choice: 'With include_schedules=1 the triggers stand under schedules.',
    why: 'Clients read that key.',
    observed: 'same key, fewer fields',
  },
  'single-metadata': {
    section: 'What the service does',
    choice: 'A single record has no metadata beside it.',
    why: 'Rule 3 adds metadata to lists.',
    observed: 'metadata: null',
    values: ['absent', 'null'],
  },
  'list-count': {
    section: 'List metadata',
    choice: 'count is the number of matching records, over all pages.',
    why: 'Pagers need it; the document calls it informational.',
    observed: 'total',
    values: ['total', 'items', 'unrelated'],
  },
  'default-limit': {
    section: 'Limits',
    choice:
      'Without _limit a list is whole; 0 gives an empty page; a negative or non-numeric one is 400 record_invalid.',
    why: 'No default is stated.',
    observed: 'no default; negative ones accepted, non-numeric ones 500',
  },
  'create-block-effects': {
    section: 'Create block',
    choice:
      'A new block joins the downstream lists of its upstream blocks, every pipeline named in pipelines, and stands at priority.',
    why: 'A graph that a client builds must read back as it was built.',
    observed: 'upstream links yes',
  },
  'unknown-upstream': {
    section: 'Create block',
    choice: 'Names in upstream_blocks that are no block of the pipeline are dropped.',
    why: 'Clients send [""] for a block without upstream.',
    observed: 'dropped',
  },
  'list-order': {
    section: 'Limits',
    choice:
      'Pipelines by uuid; schedules, runs, log files and tokens newest first; backfills by creation; blocks by priority.',
    why: 'Paging needs an order; clients take the first run for the newest.',
    observed: 'same',
  },
  'error-extras': {
    section: 'Errors',
    choice: 'An error has code, message and type only.',
    why: 'These are the documented members.',
    observed: 'exception and errors too',
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
    choice: '/n in content is stored and returned as it was sent.',
    why: 'The document writes newlines so and shows no conversion.',
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
      'A backfill set to initial reads initial for one second, then runs, one run per planned date (at most 10,000), and ends with them; cancelled stops them.',
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
    choice: 'A schedule without start_time starts when it is created; without an interval it runs @once.',
    why: 'Neither field is shown as null.',
    observed: 'null',
  },
  'run-values': {
    section: 'Pipeline run',
    choice: 'Statuses: initial, running, completed, failed, cancelled.',
    why: 'The same as of a backfill.',
    observed: 'same; initial directly after a trigger',
    values: ['running first', 'initial first'],
  },
  'run-lifecycle': {
    section: 'States and transitions',
    choice:
      'A run is completed five seconds after its trigger, on the clock of the understudy; scripts change that.',
    why: 'Clients poll until it ends.',
    observed: 'real work',
    values: ['5s'],
  },
  'run-filters': {
    section: 'Pipeline run',
    choice: 'The list of runs can be narrowed by pipeline_uuid and status.',
    why: 'Clients that poll send them.',
    observed: 'same',
  },
  'trigger-body': {
    section: 'Trigger pipeline',
    choice:
      'event_variables copies the body whatever its keys; no body gives {}; an array or a scalar is 400 record_invalid.',
    why: 'The body is a JSON object of free-form variables.',
    observed: 'pipeline_run.variables becomes variables; no body gives null',
    values: ['copied', 'pipeline_run.variables'],
  },
  'trigger-inactive': {
    section: 'Trigger pipeline',
    choice: 'An inactive schedule can be triggered.',
    why: 'The samples show inactive schedules with tokens.',
    observed: 'allowed',
  },
  'trigger-routes': {
    section: 'Trigger pipeline',
    choice: 'POST /api/pipeline_schedules/:id/pipeline_runs starts a run too, by the conventions.',
    why: 'Rule 5: create is nested under the parent.',
    observed: 'same, and api_trigger',
  },
  'trigger-wrong-token': {
    section: 'Trigger pipeline',
    choice: 'A wrong id and a wrong token are the same 404 record_not_found.',
    why: 'The reply must not tell which ids exist.',
    observed: '500',
  },
  'logs-limit': {
    section: 'Read logs',
    choice: '_limit and _offset page each of the two arrays; the totals do not change; logs has one entry.',
    why: 'Totals are what a pager divides.',
    observed: '_offset ignored',
  },
  'logs-timestamp': {
    section: 'Read logs',
    choice: 'start_timestamp is in seconds since the epoch and is held against the time of the file.',
    why: 'An integer timestamp is seconds nearly everywhere.',
    observed: 'same',
  },
  'tokens-in-open-mode': {
    section: 'Read OAuth tokens',
    choice: 'Where nobody is signed in, the token list is empty.',
    why: 'Only the tokens of the current user are returned.',
    observed: '500',
  },
  'timestamps-list': {
    section: 'Resources and their fields',
    choice:
      'Backfills have seconds when created, updated or deleted; everything else has microseconds and +00:00.',
    why: 'The section says "most other responses".',
    observed: 'mixed',
  },
  cors: {
    section: 'What the service does',
    choice: 'Any origin, method and header is allowed, cookies included.',
    why: 'A mock runs on another port than the page.',
    observed: 'any origin',
    values: ['any origin', 'none'],
  },
} as const satisfies Record<string, Assumption>

/** The id of an assumption. */
export type AssumptionId = keyof typeof table

/** Every assumption, by id. */
export const assumptions: Readonly<Record<AssumptionId, Assumption>> = table

/** What `createUnderstudy({ assumptions })` takes: a value for each assumption that has a switch. */
export interface AssumptionSwitches {
  readonly bearer?: 'decoded or raw' | 'decoded'
  readonly 'content-type'?: 'checked' | 'ignored'
  readonly 'unknown-attributes'?: 'ignored' | 'refused'
  /** `total`: all matching records; `items`: those on the page; `unrelated`: a number that has no relation to either. */
  readonly 'list-count'?: 'total' | 'items' | 'unrelated'
  /** How long a run takes: milliseconds, or a text such as `'20s'`. */
  readonly 'run-lifecycle'?: string | number
  readonly cors?: 'any origin' | 'none'
  readonly 'single-metadata'?: 'absent' | 'null'
  /** The status of a run directly after its trigger: the document's `running`, or `initial` for two seconds. */
  readonly 'run-values'?: 'running first' | 'initial first'
  readonly 'trigger-body'?: 'copied' | 'pipeline_run.variables'
}

/** The switches with their defaults. */
export type Switches = Required<AssumptionSwitches>

const defaults: Switches = {
  bearer: 'decoded or raw',
  'content-type': 'checked',
  'unknown-attributes': 'ignored',
  'list-count': 'total',
  'run-lifecycle': '5s',
  cors: 'any origin',
  'single-metadata': 'absent',
  'run-values': 'running first',
  'trigger-body': 'copied',
}

/**
 * Fills the switches a user left out.
 *
 * @throws where a name is no assumption with a switch, or a value is not one it takes.
 */
export function readSwitches(given: AssumptionSwitches = {}): Switches {
  for (const [id, value] of Object.entries(given)) {
    const values = (assumptions as Record<string, Assumption>)[id]?.values
    if (values === undefined) {
      throw new Error(`[understudy] There is no switch ${id}; there are ${Object.keys(defaults).join(', ')}.`)
    }
    if (id === 'run-lifecycle') {
      if (parseDuration(value as string) !== undefined) continue
      throw new Error(
        `[understudy] ${id}: expected milliseconds or a text such as '5s'; found ${JSON.stringify(value)}.`,
      )
    }
    if (!values.includes(String(value))) {
      throw new Error(
        `[understudy] ${id}: expected one of ${values.join(', ')}; found ${JSON.stringify(value)}.`,
      )
    }
  }
  return { ...defaults, ...given }
}
