import { derivedPrefixes } from '../rules/derived.ts'
import type { Rule, RuleId } from '../rules/index.ts'

/** The name of a part of a run, which the option `scenarios` selects. */
export type GroupName =
  | 'credentials' | 'pipelines' | 'blocks' | 'backfills' | 'schedules' | 'trigger' | 'sequences' | 'logs' | 'damage' // biome-ignore format: one list

/** A part of a run: the sequences of one subject. */
export interface SequenceGroup {
  readonly name: GroupName
  readonly effects: 'reads' | 'writes'
  /** The prefixes of the rules that it is evidence for, or their ids. */
  readonly covers: readonly string[]
  /** The rules with such a prefix that another group is evidence for. */
  readonly leaves?: readonly RuleId[]
  /** The records that it creates, in words, for `--plan`. */
  readonly makes: string
}

/** A group sends wrong credentials for reads among its other requests. */
const readsOf = {
  pipelines: ['list-pipelines/credentials', 'read-pipeline/credentials'],
  blocks: ['read-block/credentials'],
  backfills: [
    'list-backfills/credentials',
    'list-oauth-access-tokens/credentials',
    'list-pipeline-schedules/credentials',
    'list-logs/credentials',
  ],
} as const satisfies Partial<Record<GroupName, readonly RuleId[]>>

const nestedList: RuleId = 'conventions/nested-list'
const unlistedValues: readonly RuleId[] = [
  'backfill-states/unknown-status',
  'backfill-update/unknown-interval',
]

/** Every group, in the order of a run: `credentials` is first, so that the others have a session. */
export const sequenceGroups: readonly SequenceGroup[] = [
  {
    name: 'credentials',
    makes: 'a session or two (tokens stay until they expire)',
    effects: 'reads',
    covers: [
      'authentication', 'errors', 'tokens', 'oauth-token-fields', 'session-fields', 'list-metadata', 'create-session',
      'list-oauth-access-tokens',
    ], // biome-ignore format: a list of prefixes
  },
  {
    // Early: its run writes logs meanwhile.
    name: 'trigger',
    makes:
      '4 pipelines, with 8 schedules, 16 runs and 3 blocks in them; or 2 runs of a schedule that may be triggered',
    effects: 'writes',
    covers: [
      'trigger', 'run-fields', 'schedule-list', 'schedule-fields', 'list-metadata', 'trigger-pipeline',
      'list-pipeline-schedules', 'read-pipeline/triggers',
    ], // biome-ignore format: a list of prefixes
  },
  {
    name: 'pipelines',
    makes: 'about 20 pipelines',
    effects: 'writes',
    covers: [
      'pipeline-create', 'pipeline-read', 'pipeline-extensions', 'pipeline-fields', 'conventions', 'list-metadata/pipelines',
      'errors', 'create-pipeline', 'list-pipelines', 'read-pipeline',
      ...readsOf.pipelines,
    ], // biome-ignore format: a list of prefixes
    leaves: [nestedList],
  },
  {
    name: 'blocks',
    makes: 'about 8 pipelines, and 90 blocks in them',
    effects: 'writes',
    covers: [
      'block-create', 'block-uuid', 'block-new', 'block-delete', 'block-fields', 'errors', 'create-block', 'read-block',
      'delete-block',
      ...readsOf.blocks,
    ], // biome-ignore format: a list of prefixes
  },
  {
    name: 'backfills',
    makes: 'about 6 pipelines, and 30 backfills in them',
    effects: 'writes',
    covers: [
      'backfill-create', 'backfill-states', 'backfill-list', 'backfill-update', 'backfill-times', 'backfill-fields',
      'list-metadata', 'errors', 'create-backfill', 'update-backfill', 'delete-backfill', 'list-backfills',
      ...readsOf.backfills, nestedList,
    ], // biome-ignore format: a list of prefixes
    leaves: unlistedValues,
  },
  {
    name: 'schedules',
    makes: 'nothing',
    effects: 'reads',
    covers: ['schedule-list', 'schedule-fields', 'list-pipeline-schedules/filter', 'read-pipeline/triggers'],
  },
  {
    name: 'logs',
    makes: 'nothing',
    effects: 'reads',
    covers: ['logs', 'logs-fields', 'log-file-fields', 'list-logs'],
  },
  {
    name: 'sequences',
    makes:
      'about 20 pipelines, with some 30 backfills, 10 blocks, 3 schedules and 2 runs in them; a few at a time',
    effects: 'writes',
    covers: derivedPrefixes,
    leaves: Object.values(readsOf).flat(),
  },
  {
    // Last: a target that stores an unlisted value may fail on it from then on.
    name: 'damage',
    makes: '2 pipelines with a backfill each, which are given values that are not listed',
    effects: 'writes',
    covers: unlistedValues,
  },
]

/** Returns whether a group is evidence for a rule. A group sends wrong credentials if it lists the id of their rule. */
export function covers(group: SequenceGroup, { id }: Rule): boolean {
  if (group.covers.includes(id)) return true
  if (group.leaves?.includes(id) || (id.endsWith('/credentials') && group.name !== 'sequences')) return false
  return group.covers.some((prefix) => id.startsWith(`${prefix}/`))
}
