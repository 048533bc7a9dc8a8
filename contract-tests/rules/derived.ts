import type { Effect, Need, RuleOf } from './define-rules.ts'
import { sentenceWith } from './document.ts'
import { type Kebab, kebab } from './kebab.ts'
import type { OperationId } from './operation-id.ts'
import type { Section } from './sections.ts'

/** A quote from the section of the operation, or from the named one. */
type Quote = string | readonly [section: Section, text: string]

interface DerivedRow {
  /** The heading that describes the operation. */
  readonly section: Section
  /** The quote that each aspect is based on. */
  readonly aspects: Readonly<Partial<Record<Aspect, Quote>>>
  /** The aspects that are based on our interpretation of the quote. */
  readonly inferred?: readonly Aspect[]
  readonly effects?: Effect
  /** The aspects that reads show, for operations whose other aspects need writes. */
  readonly reads?: readonly Aspect[]
  readonly needs?: readonly Need[]
}

/** An operation, or another destination of requests. */
type Reached = OperationId | 'otherRequests'

const status = ['Errors', 'Every response carries HTTP status 200 in its main payload.'] as const
const credentials = ['Authentication', 'Most endpoints need two credentials:'] as const
const seconds = [
  'Resources and their fields',
  '`YYYY-MM-DD HH:MM:SS` (backfill create, update and delete responses).',
] as const
const microseconds = [
  'Resources and their fields',
  '`YYYY-MM-DD HH:MM:SS.ffffff+00:00` (most other responses).',
] as const
const next = ['Limits', '`next` in `metadata` | `false` when no further page exists.'] as const
const pages = [
  'Limits',
  '`_limit` | Maximum number of items in a list response (backfills, logs, OAuth tokens).',
] as const
const transitions = 'States and transitions'
const created = [transitions, 'create backfill | pipeline uuid in the path'] as const
const updated = [transitions, 'update backfill with `status`'] as const
const removed = [
  transitions,
  'delete backfill | id exists | record removed | the removed record is returned',
] as const
const triggered = [transitions, 'trigger pipeline | schedule id and token in the path match'] as const
const byId = ['What the service does', 'An update needs the id of the record in the path.'] as const

const createPipeline = 'Response: `{ pipeline: <Pipeline> }`. A new pipeline has empty `blocks`'
const listPipelines = '`GET /api/pipelines` retrieves all pipelines.'
const createsBlock = '`POST /api/pipelines/:pipeline_uuid/blocks` creates a block in one or more pipelines.'
const readBlock = 'returns the contents and metadata of a block as `{ block: <Block> }`'
const deletesBlock = 'deletes a block from a pipeline.'
const ofPipeline = '`pipeline_uuid` | query | string | Pipeline whose backfills are read.'
const listSchedules = 'Response: `{ pipeline_schedules: [<Pipeline schedule>], metadata: { count, next } }`.'

/** The aspects of every operation's replies that rest on the sentence about its response. */
const replies = <const Response extends string>(response: Response) =>
  ({ 'status-200': status, envelope: response, attributes: response }) as const

/** The aspects of replies that also contain the written values. */
const records = <const Response extends string>(response: Response) =>
  ({ ...replies(response), values: response }) as const

/** The documented operations, and the aspects of each that a client can check. */
const rows = {
  createPipeline: {
    section: 'Create pipeline',
    aspects: {
      ...records(createPipeline),
      accepted: 'Body: `{ pipeline: { ... } }` with:',
      'read-back': createPipeline,
      'unchanged-neighbours': createPipeline,
      'refused-unchanged': '`type` | string | yes | One of `integration`, `pyspark`, `python`, `streaming`.',
      credentials,
    },
  },
  listPipelines: {
    section: 'Read pipelines',
    aspects: {
      'status-200': status,
      envelope: listPipelines,
      timestamps: microseconds,
      values: listPipelines,
      complete: listPipelines,
      credentials,
    },
    // "The list response shape: not shown."
    inferred: ['envelope', 'values'],
    reads: ['status-200', 'envelope', 'timestamps'],
  },
  readPipeline: {
    section: 'Read pipelines',
    aspects: {
      ...records('Single response: `{ pipeline: <Pipeline> }`.'),
      triggers:
        '`include_schedules` | query | integer | When `1`, the pipeline object includes its associated triggers.',
      timestamps: microseconds,
      refuses: '`GET /api/pipelines/:uuid` fetches one.',
      credentials,
    },
    inferred: ['refuses'],
    reads: ['triggers'],
  },
  createBlock: {
    section: 'Create block',
    aspects: {
      ...records(
        'Response: `{ block: { content, name, priority, config, language, type, configuration, upstream_blocks } }`.',
      ),
      accepted: createsBlock,
      'read-back': createsBlock,
      'unchanged-neighbours': createsBlock,
      'refused-unchanged': '`type` | string | yes | Block type values above.',
      refuses: createsBlock,
      credentials,
    },
    inferred: ['refuses'],
  },
  readBlock: {
    section: 'Read block',
    aspects: { ...records(readBlock), refuses: readBlock, credentials },
    inferred: ['refuses'],
  },
  deleteBlock: {
    section: 'Delete block',
    aspects: {
      ...records('Response on success: `{ block: <Block> }` (without `content` and `outputs`).'),
      accepted: deletesBlock,
      'read-back': deletesBlock,
      'unchanged-neighbours': deletesBlock,
      refuses: deletesBlock,
      'refused-unchanged':
        'When the block has downstream dependencies and `force` is absent, the deletion is refused.',
      credentials,
    },
    inferred: ['refuses'],
  },
  listBackfills: {
    section: 'Read backfills',
    aspects: {
      ...records('Response: `{ backfills: [<Backfill>], metadata: { count, next } }`.'),
      timestamps: microseconds,
      complete: ofPipeline,
      filter: ofPipeline,
      paging: pages,
      next,
      'run-count': 'With the run count requested, items carry `total_run_count`.',
      credentials,
    },
    reads: ['status-200', 'envelope'],
  },
  createBackfill: {
    section: 'Create backfill',
    aspects: {
      ...records('Response: `{ backfill: <Backfill> }`; a newly created backfill has null'),
      timestamps: seconds,
      accepted: 'Body: `{ backfill: { name: string, ... } }`.',
      'read-back': created,
      'unchanged-neighbours': created,
      'refused-unchanged': created,
      refuses:
        'Path parameter `pipeline_uuid` (string, required) is the pipeline the backfill is created for.',
      credentials,
    },
    inferred: ['refuses'],
  },
  updateBackfill: {
    section: 'Update backfill',
    aspects: {
      ...records('Response: `{ backfill: <Backfill> }` with the updated values.'),
      timestamps: seconds,
      accepted: 'Every default attribute of a backfill may be updated, including:',
      'read-back': updated,
      'unchanged-neighbours': byId,
      refuses: byId,
      'refused-unchanged': updated,
      credentials,
    },
    inferred: ['refuses'],
  },
  deleteBackfill: {
    section: 'Delete backfill',
    aspects: {
      ...records('Response: `{ backfill: <Backfill> }` for the deleted record.'),
      timestamps: seconds,
      accepted: removed,
      'read-back': removed,
      'unchanged-neighbours': removed,
      refuses: removed,
      credentials,
    },
  },
  listPipelineSchedules: {
    section: 'Read pipeline schedules',
    aspects: {
      ...records(listSchedules),
      timestamps: microseconds,
      complete: listSchedules,
      filter: '`tag[]` | query | string | Only schedules with the tag are returned.',
      next,
      credentials,
    },
    reads: ['status-200', 'envelope', 'attributes', 'timestamps', 'filter'],
    needs: ['schedule'],
  },
  triggerPipeline: {
    section: 'Trigger pipeline',
    aspects: {
      ...records(
        'Response: `{ pipeline_run: <Pipeline run> }`, with `event_variables` equal to the body and `status` `running`.',
      ),
      timestamps: microseconds,
      accepted: 'runs a pipeline through an API request.',
      'unchanged-neighbours': 'runs a pipeline through an API request.',
      refuses: triggered,
      'refused-unchanged': triggered,
    },
    needs: ['trigger'],
  },
  listLogs: {
    section: 'Read logs',
    aspects: {
      ...replies('Response: `{ logs: [<Logs entry>], metadata: {} }`.'),
      filter: '`start_timestamp` | query | integer | Read logs on or after this timestamp.',
      paging: pages,
      credentials,
    },
    effects: 'reads',
    needs: ['logs'],
  },
  listOauthAccessTokens: {
    section: 'Read OAuth tokens',
    aspects: {
      ...replies('Response: `{ oauth_access_tokens: [<OAuth access token>], metadata: { count, next } }`.'),
      timestamps: microseconds,
      complete: 'When absent, only active tokens of the current user are returned.',
      filter: ['Authentication', "The token list endpoint returns only the current user's tokens."],
      paging: pages,
      next,
      credentials,
    },
    effects: 'reads',
    needs: ['sign-in'],
  },
  createSession: {
    section: 'Authentication',
    aspects: {
      ...replies('The `token` key of the session payload holds the raw token.'),
      accepted: 'An OAuth token, obtained by creating a session.',
      refuses: [
        'Errors',
        'A failed session authentication returns `error.code` 404 and `error.type` `record_not_found`, with a message saying that the login name or password is invalid.',
      ],
    },
    effects: 'reads',
    needs: ['sign-in'],
  },
  // Unknown paths, methods that a path does not have, and operations that only the conventions describe.
  otherRequests: {
    section: 'Errors',
    aspects: {
      'status-200': status,
      envelope: 'Any error is reported inside the body, under the key `error`',
    },
  },
} as const satisfies Readonly<Partial<Record<Reached, DerivedRow>>>

/** The requirement of each aspect, in our words. */
const claims = {
  'status-200': 'Every reply carries HTTP status 200.',
  envelope: 'Every reply is a JSON object with either the record or list under its name, or an error.',
  attributes: 'Every record of every reply has all its documented attributes.',
  timestamps: 'Every timestamp of every reply has the form of its operation.',
  accepted: 'A request as the specification describes it succeeds.',
  values: 'The reply has the values that were written, and the specified ones.',
  'read-back': 'Every later reply with the record shows the write.',
  'unchanged-neighbours': 'Other records are unchanged.',
  refuses: 'A request for an unknown record, or with parts that do not match, is an error.',
  'refused-unchanged': 'A refused request changes nothing.',
  triggers: 'With `include_schedules=1` the pipeline carries exactly its own triggers.',
  complete: 'The list has each record once, and no deleted one.',
  filter: 'The list has only records that its path and its parameters select.',
  paging: 'Any `_limit` and offset give that part of the whole list.',
  next: '`next` is `false` exactly where there is no further page.',
  'run-count': 'Items carry `total_run_count`, an integer, where it is requested.',
  credentials:
    'The target accepts a right credential in every documented place, and refuses a missing or nearly right one.',
} as const satisfies Readonly<Record<Aspect, string>>

/** A part of the behavior of an operation with its own rule. */
export type Aspect =
  | 'status-200' | 'envelope' | 'attributes' | 'timestamps' | 'accepted' | 'values' | 'read-back'
  | 'unchanged-neighbours' | 'refuses' | 'refused-unchanged' | 'triggers' | 'complete' | 'filter' | 'paging' | 'next'
  | 'run-count' | 'credentials' // biome-ignore format: one list

type DerivedRuleIdsOf<Name extends keyof typeof rows> = Name extends string
  ? `${Kebab<Name>}/${keyof (typeof rows)[Name]['aspects'] & string}`
  : never

/** The id of a rule about an aspect of an operation, such as `update-backfill/read-back`. */
export type DerivedRuleId = DerivedRuleIdsOf<keyof typeof rows>

/** The prefixes of these rules. */
export const derivedPrefixes: readonly string[] = Object.keys(rows).map(kebab)

/** One rule for each observable aspect of each documented operation. */
export const derivedRules: readonly RuleOf<DerivedRuleId>[] = Object.entries<DerivedRow>(rows).flatMap(
  ([operation, row]) =>
    Object.entries(row.aspects).map(([name, quote]) => {
      // The keys of an object are plain texts to the compiler.
      const aspect = name as Aspect
      const [section, text] = typeof quote === 'string' ? [row.section, quote] : quote
      return {
        // The parts are those of the type.
        id: `${kebab(operation)}/${aspect}` as DerivedRuleId,
        section,
        sentence: sentenceWith(section, text),
        claim: claims[aspect],
        // "Most other responses" names no operation.
        source:
          quote === microseconds ? 'example' : row.inferred?.includes(aspect) ? 'inferred' : 'specified',
        operation: operation === 'otherRequests' ? 'readPipeline' : (operation as OperationId),
        effects: row.reads?.includes(aspect) ? 'reads' : (row.effects ?? 'writes'),
        needs: aspect === 'credentials' ? ['api-key' as const] : (row.needs ?? []),
      }
    }),
)

const ids: ReadonlySet<string> = new Set(derivedRules.map(({ id }) => id))

/**
 * The rule about an aspect of an operation; undefined if no client can observe it, or the specification does not describe
 * it.
 */
export function derivedRule(operation: Reached, aspect: Aspect): DerivedRuleId | undefined {
  const id = `${kebab(operation)}/${aspect}`
  // It is in the set of all ids.
  return ids.has(id) ? (id as DerivedRuleId) : undefined
}

/** Returns whether any request checks a rule, and not one scenario alone. */
export function isDerived(id: string): boolean {
  return ids.has(id)
}
