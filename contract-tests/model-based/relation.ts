import type { AssumptionId } from '../../src/assumptions/index.ts'
import { rowAbout, type Statement, statementsIn } from '../rules/document.ts'
import type { OperationId } from '../rules/operation-id.ts'
import type { Section } from '../rules/sections.ts'
import { type AttributeFact, factsOf } from '../runner/operation-facts.ts'

export type { AssumptionId }

/** The relation of an attribute of the target's record to the same attribute of the model's. */
export type Relation =
  /** The specification gives the value, or the client must write it. */
  | 'equal'
  /** Equal after a client has written it; before that the target's choice. */
  | 'written'
  /** The same for blocks of type `custom`; for others the target's choice. */
  | 'written if custom'
  /** An object: written members are equal, and additional ones are the target's choice. Before a write, all members are. */
  | 'filled'
  /** The target's choice: each operation shows the same value until a write of the record. */
  | 'constant'
  /** The target's choice, at any time. */
  | 'free'
  /** The key of the record on the target. */
  | 'key'
  /** The key of the pipeline or schedule that it belongs to. */
  | 'home'
  | 'schedule'
  /** The uuids of blocks, in any order. */
  | 'links'
  /** Texts, in any order. */
  | 'members'
  /** A name that a client has written; a target may store all names in a normal form. */
  | 'name'
  /** A text with two possible notations for newlines. */
  | 'lines'
  /** A time that a client writes, in either documented form; null before a write. */
  | 'datetime'
  /** The time of the creation. */
  | 'created'
  /** A time between its creation and now, or null. It does not change without a write. */
  | 'changed'
  /** Null until a client writes a status; then null, or a time. */
  | 'life'
  /** The value that a client has written, or a later one of the server. */
  | 'status'
  /** Nested records. */
  | 'nested'

/** The reason why an attribute is the choice of the target: an assumption, or the sentence about it. */
export type ChoiceReason = AssumptionId | Statement

/** The relations with exactly one expected value. */
export const bound = ['equal', 'key', 'home', 'schedule', 'created'] as const satisfies readonly Relation[]
type Bound = (typeof bound)[number]

/** A relation, the sentence that it rests on, and the reason why it is open, if it is. */
export interface Related {
  readonly is: Relation
  readonly sentence: Statement | undefined
  readonly reason: ChoiceReason | undefined
}

/** A relation that does not follow from the table; an open one names an assumption, or its own row. */
type Special =
  | { readonly is: Bound; readonly reason?: AssumptionId }
  | { readonly is: Exclude<Relation, Bound>; readonly reason: AssumptionId | 'its row' }

const equal: Special = { is: 'equal' }
const open = (reason: AssumptionId | 'its row'): Special => ({ is: 'free', reason })
const nested: Special = { is: 'nested', reason: 'callback-lists' }
const name: Special = { is: 'name', reason: 'its row' }
const life: Special = { is: 'life', reason: 'backfill-life' }

/** A kind of record that sequences create, the operations whose replies show it, and the headings that describe it. */
interface KindDescription {
  readonly fields: Section
  readonly creation: Section
  readonly operations: readonly OperationId[]
  readonly special: Readonly<Record<string, Special>>
}

const shown = {
  pipeline: {
    fields: 'Pipeline',
    creation: 'Create pipeline',
    operations: ['createPipeline', 'readPipeline'],
    special: {
      uuid: { is: 'key', reason: 'pipeline-uuid-rule' },
      name,
      // Null on a new one; the effect of a change of its blocks is not specified.
      updated_at: { is: 'changed', reason: 'create-block-effects' },
      blocks: nested,
      callbacks: nested,
      conditionals: nested,
      widgets: nested,
    },
  },
  block: {
    fields: 'Block',
    creation: 'Create block',
    operations: ['createBlock', 'readBlock', 'deleteBlock'],
    special: {
      uuid: { is: 'key', reason: 'block-uuid-rule' },
      name,
      language: { is: 'written', reason: 'block-language' },
      // "Color shown for custom blocks only; other types have predefined colors."
      color: { is: 'written if custom', reason: 'its row' },
      // A client need not know their members. A target may add others, with its defaults.
      configuration: { is: 'filled', reason: 'create-block-nulls' },
      config: { is: 'filled', reason: 'create-block-nulls' },
      priority: { is: 'written', reason: 'create-block-nulls' },
      upstream_blocks: { is: 'links', reason: 'force-effect' },
      downstream_blocks: { is: 'links', reason: 'force-effect' },
      all_upstream_blocks_executed: open('its row'),
      has_callback: open('its row'),
      status: open('block-status'),
      content: { is: 'lines', reason: 'block-newlines' },
      outputs: open('its row'),
    },
  },
  backfill: {
    fields: 'Backfill',
    creation: 'Create backfill',
    operations: ['createBackfill', 'listBackfills', 'updateBackfill', 'deleteBackfill'],
    special: {
      id: { is: 'key' },
      name,
      pipeline_uuid: { is: 'home' },
      pipeline_schedule_id: open('backfill-life'),
      start_datetime: { is: 'datetime', reason: 'datetime-input' },
      end_datetime: { is: 'datetime', reason: 'datetime-input' },
      status: { is: 'status', reason: 'backfill-life' },
      metrics: open('backfill-life'),
      created_at: { is: 'created' },
      updated_at: { is: 'changed', reason: 'its row' },
      started_at: life,
      completed_at: life,
      failed_at: life,
    },
  },
  schedule: {
    fields: 'Pipeline schedule',
    creation: 'Read pipeline schedules',
    operations: ['listPipelineSchedules'],
    // The conventions describe its creation: other attributes are the choice of the target.
    special: {
      id: { is: 'key' },
      name: equal,
      pipeline_uuid: { is: 'home' },
      // The order of the array is not specified.
      tags: { is: 'members', reason: 'its row' },
      status: open('schedule-values'),
      last_pipeline_run_status: open('run-lifecycle'),
      pipeline_runs_count: open('its row'),
      created_at: { is: 'created' },
      updated_at: open('run-lifecycle'),
    },
  },
  run: {
    fields: 'Pipeline run',
    creation: 'Trigger pipeline',
    operations: ['triggerPipeline'],
    special: {
      id: { is: 'key' },
      pipeline_schedule_id: { is: 'schedule' },
      pipeline_uuid: { is: 'home' },
      status: equal,
      event_variables: equal,
      created_at: { is: 'created' },
    },
  },
} as const satisfies Readonly<Record<string, KindDescription>>

/** A kind of compared records. */
export type ComparedKind = keyof typeof shown

/** All kinds of compared records. */
// The keys of an object are plain texts to the compiler.
export const kinds = Object.keys(shown) as readonly ComparedKind[]

/** The attributes with a special relation, by kind. */
export const specialOf = (kind: ComparedKind): Readonly<Record<string, Special>> => shown[kind].special

/** The operations that show records of a kind. */
export const operationsOf = (kind: ComparedKind): readonly OperationId[] => shown[kind].operations

const derived = new Map<ComparedKind, ReadonlyMap<string, Related>>()

/**
 * Returns the relation of each attribute of a kind of record. Without a special relation, the table decides:
 * a required attribute, or one with a specified initial value, is equal; an optional one is equal after a write;
 * all others, and those that only samples show, are the target's choice, which their own row leaves open.
 *
 * @example
 * relationsOf('block').get('executor_type')?.is // 'constant': "`local_python` in the sample."
 */
export function relationsOf(kind: ComparedKind): ReadonlyMap<string, Related> {
  const known = derived.get(kind) ?? derive(kind)
  derived.set(kind, known)
  return known
}

function derive(kind: ComparedKind): ReadonlyMap<string, Related> {
  const { fields, creation, operations } = shown[kind]
  const facts = operations.flatMap((operation) => factsOf(operation) ?? [])
  const writes = facts.flatMap((each) => each.writes)
  const attributes = facts.flatMap((each) => (each.attributes === 'all' ? [] : each.attributes))
  return new Map(
    attributes.map((attribute): [string, Related] => {
      const { name } = attribute
      // Its row in the table of its record is more precise than the list of a reply.
      const sentence = rowAbout(fields, name) ?? rowAbout(creation, name) ?? attribute.stated
      const special = specialOf(kind)[name]
      if (special)
        return [
          name,
          { is: special.is, sentence, reason: special.reason === 'its row' ? sentence : special.reason },
        ]
      const stated = newValueOf(kind, attribute, sentence)
      if (stated) return [name, { is: 'equal', sentence: stated, reason: undefined }]
      const written = writes.filter((fact) => fact.name === name)
      if (written.some(({ isRequired }) => isRequired))
        return [name, { is: 'equal', sentence, reason: undefined }]
      return [name, { is: written.length > 0 ? 'written' : 'constant', sentence, reason: sentence }]
    }),
  )
}

/** The sentence that states the value of an attribute in a new record. */
function newValueOf(
  kind: ComparedKind,
  { name }: AttributeFact,
  row: Statement | undefined,
): Statement | undefined {
  if (row && /\bon a new\b/.test(row.text)) return row
  return statementsIn(shown[kind].creation).find(
    ({ text }) => /\bnewly created\b/.test(text) && text.includes(`\`${name}\``),
  )
}
