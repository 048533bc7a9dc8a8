import type { Effect, Need, RuleOf, Source } from './define-rules.ts'
import { sentenceAt } from './document.ts'
import type { OperationId } from './operation-id.ts'
import { type Section, sections } from './sections.ts'

/** What is held of every exchange of an operation, whoever sends it. */
const everyReply = ['status-200', 'envelope', 'types'] as const
/** What is held of an operation when it is asked in lockstep with the model. */
const everyWrite = ['accepted', 'values', 'read-back', 'unchanged-neighbours'] as const

interface DerivedRow {
  readonly prefix: string
  readonly operation: OperationId
  /** The heading that describes the operation. */
  readonly section: Section
  /** The heading that lists the attributes of its records. */
  readonly record: Section
  readonly aspects: readonly Aspect[]
  readonly effects: Effect
  readonly needs?: readonly Need[]
}

/** The documented operations, and which aspects of each a client can observe. */
const rows = [
  {
    prefix: 'create-pipeline',
    operation: 'createPipeline',
    section: 'Create pipeline',
    record: 'Pipeline',
    aspects: [...everyReply, 'attributes', ...everyWrite, 'refused-unchanged', 'credentials'],
    effects: 'writes',
  },
  {
    prefix: 'list-pipelines',
    operation: 'listPipelines',
    section: 'Read pipelines',
    record: 'Pipeline',
    aspects: [...everyReply, 'values', 'complete', 'credentials'],
    effects: 'writes',
  },
  {
    prefix: 'read-pipeline',
    operation: 'readPipeline',
    section: 'Read pipelines',
    record: 'Pipeline',
    aspects: [...everyReply, 'attributes', 'values', 'triggers', 'timestamps', 'credentials'],
    effects: 'writes',
  },
  {
    prefix: 'create-block',
    operation: 'createBlock',
    section: 'Create block',
    record: 'Block',
    aspects: [...everyReply, 'attributes', ...everyWrite, 'refused-unchanged', 'credentials'],
    effects: 'writes',
  },
  {
    prefix: 'read-block',
    operation: 'readBlock',
    section: 'Read block',
    record: 'Block',
    aspects: [...everyReply, 'attributes', 'values', 'refuses', 'credentials'],
    effects: 'writes',
  },
  {
    prefix: 'delete-block',
    operation: 'deleteBlock',
    section: 'Delete block',
    record: 'Block',
    aspects: [...everyReply, 'attributes', ...everyWrite, 'refuses', 'refused-unchanged', 'credentials'],
    effects: 'writes',
  },
  {
    prefix: 'list-backfills',
    operation: 'listBackfills',
    section: 'Read backfills',
    record: 'Backfill',
    aspects: [
      ...everyReply, 'attributes', 'values', 'timestamps', 'complete', 'filter', 'paging', 'next', 'run-count',
      'credentials',
    ], // biome-ignore format: one list
    effects: 'writes',
  },
  {
    prefix: 'create-backfill',
    operation: 'createBackfill',
    section: 'Create backfill',
    record: 'Backfill',
    aspects: [...everyReply, 'attributes', 'timestamps', ...everyWrite, 'refuses', 'credentials'],
    effects: 'writes',
  },
  {
    prefix: 'update-backfill',
    operation: 'updateBackfill',
    section: 'Update backfill',
    record: 'Backfill',
    aspects: [...everyReply, 'attributes', 'timestamps', ...everyWrite, 'refuses', 'credentials'],
    effects: 'writes',
  },
  {
    prefix: 'delete-backfill',
    operation: 'deleteBackfill',
    section: 'Delete backfill',
    record: 'Backfill',
    aspects: [...everyReply, 'attributes', 'timestamps', ...everyWrite, 'refuses', 'credentials'],
    effects: 'writes',
  },
  {
    prefix: 'list-pipeline-schedules',
    operation: 'listPipelineSchedules',
    section: 'Read pipeline schedules',
    record: 'Pipeline schedule',
    aspects: [
      ...everyReply,
      'attributes',
      'values',
      'timestamps',
      'complete',
      'filter',
      'next',
      'credentials',
    ],
    effects: 'writes',
    needs: ['schedule'],
  },
  {
    prefix: 'trigger-pipeline',
    operation: 'triggerPipeline',
    section: 'Trigger pipeline',
    record: 'Pipeline run',
    aspects: [
      ...everyReply,
      'attributes',
      'timestamps',
      'accepted',
      'values',
      'unchanged-neighbours',
      'refuses',
      'refused-unchanged',
    ],
    effects: 'writes',
    needs: ['trigger'],
  },
  {
    prefix: 'list-logs',
    operation: 'listLogs',
    section: 'Read logs',
    record: 'Pipeline logs entry',
    aspects: [...everyReply, 'attributes', 'filter', 'paging', 'credentials'],
    effects: 'reads',
    needs: ['logs'],
  },
  {
    prefix: 'list-oauth-access-tokens',
    operation: 'listOauthAccessTokens',
    section: 'Read OAuth tokens',
    record: 'OAuth access token',
    aspects: [
      ...everyReply,
      'attributes',
      'timestamps',
      'complete',
      'filter',
      'paging',
      'next',
      'credentials',
    ],
    effects: 'reads',
    needs: ['sign-in'],
  },
  {
    prefix: 'create-session',
    operation: 'createSession',
    section: 'Authentication',
    record: 'Session',
    aspects: [...everyReply, 'attributes', 'accepted', 'refuses'],
    effects: 'reads',
    needs: ['sign-in'],
  },
  {
    // Unknown paths, methods that a path does not have, and what only the conventions describe.
    prefix: 'other-requests',
    operation: 'readPipeline',
    section: 'Errors',
    record: 'Pipeline',
    aspects: ['status-200', 'envelope'],
    effects: 'writes',
  },
] as const satisfies readonly DerivedRow[]

interface Judged {
  readonly section?: Section | 'record'
  readonly source?: Source
  readonly claim: string
}

/** Which sentence an aspect rests on, and in which words it is judged; without a section it is the operation's own. */
const aspects = {
  'status-200': { section: 'Errors', claim: 'Every reply carries HTTP status 200.' },
  envelope: {
    section: 'Errors',
    claim:
      'Every reply is a JSON object with either the record or list under its name, or an error of integer code, string message and string type beside a status of 200.',
  },
  attributes: { section: 'record', claim: 'Every record of every reply has all its documented attributes.' },
  types: { section: 'record', claim: 'Every attribute of every record has its documented type and values.' },
  timestamps: {
    section: 'Resources and their fields',
    claim: 'Every timestamp of every reply has the form of its action, and lies when it was made.',
  },
  accepted: { claim: 'A request as the document describes it succeeds.' },
  values: { claim: 'The reply has the values that were written, and those the document states.' },
  'read-back': { claim: 'Whatever shows the record afterwards shows what was written.' },
  'unchanged-neighbours': { claim: 'Other records are as they were.' },
  refuses: {
    source: 'inferred',
    claim: 'A request for what is not there, or with what does not match, is an error.',
  },
  'refused-unchanged': { source: 'inferred', claim: 'What is refused changes nothing.' },
  triggers: { claim: 'With include_schedules=1 the pipeline carries just its own triggers.' },
  complete: { claim: 'The list holds each record once, and none that is gone.' },
  filter: { claim: 'The list holds only what its path and its parameters ask for.' },
  paging: { section: 'Limits', claim: 'Any _limit and _offset give that part of the whole list.' },
  next: { section: 'List metadata', claim: 'next is false just where there is no further page.' },
  'run-count': { claim: 'Items carry total_run_count, an integer, where it is asked for.' },
  credentials: {
    section: 'Authentication',
    claim:
      'A right credential is accepted in every documented place, and a missing or nearly right one is refused.',
  },
} as const satisfies Readonly<Record<string, Judged>>

/** What of an operation is judged. */
export type Aspect =
  | 'status-200' | 'envelope' | 'attributes' | 'types' | 'timestamps' | 'accepted' | 'values' | 'read-back'
  | 'unchanged-neighbours' | 'refuses' | 'refused-unchanged' | 'triggers' | 'complete' | 'filter' | 'paging' | 'next'
  | 'run-count' | 'credentials' // biome-ignore format: one list

type DerivedRuleIdsOf<Each extends DerivedRow> = Each extends DerivedRow
  ? `${Each['prefix']}/${Each['aspects'][number]}`
  : never

/** The id of a rule about an aspect of an operation, such as `update-backfill/read-back`. */
export type DerivedRuleId = DerivedRuleIdsOf<(typeof rows)[number]>

/** The prefixes of these rules. */
export const derivedPrefixes: readonly string[] = rows.map(({ prefix }) => prefix)

/** Samples alone show the form of these timestamps: "most other responses" does not say which. */
const statedForms: readonly string[] = ['createBackfill', 'updateBackfill', 'deleteBackfill']

/** One rule for each observable aspect of each documented operation. */
export const derivedRules: readonly RuleOf<DerivedRuleId>[] = rows.flatMap((row: DerivedRow) =>
  row.aspects.map((aspect) => {
    const { claim, source = 'specified', section = row.section }: Judged = aspects[aspect]
    const heading = section === 'record' ? row.record : section
    const isSample = aspect === 'timestamps' && !statedForms.includes(row.operation)
    return {
      // The parts are those that the type is made of.
      id: `${row.prefix}/${aspect}` as DerivedRuleId,
      section: heading,
      // The first line below the heading.
      sentence: sentenceAt(sections[heading] + 2),
      claim,
      source: isSample ? ('example' as const) : source,
      operation: row.operation,
      effects: row.effects,
      needs: aspect === 'credentials' ? ['api-key' as const] : (row.needs ?? []),
    }
  }),
)

const ids: ReadonlySet<string> = new Set(derivedRules.map(({ id }) => id))
const prefixes: ReadonlyMap<string, string> = new Map(
  rows.flatMap(({ operation, prefix }) =>
    prefix === 'other-requests' ? [] : [[operation, prefix] as const],
  ),
)

/** The rule about an aspect of an operation; undefined where that cannot be observed, or is not documented. */
export function derivedRule(operation: OperationId | 'other', aspect: Aspect): DerivedRuleId | undefined {
  const id = `${operation === 'other' ? 'other-requests' : prefixes.get(operation)}/${aspect}`
  // It is in the set of all ids.
  return ids.has(id) ? (id as DerivedRuleId) : undefined
}

/** Tells whether a rule is checked by whatever is sent, and not in one scenario alone. */
export function isDerived(id: string): boolean {
  return ids.has(id)
}
