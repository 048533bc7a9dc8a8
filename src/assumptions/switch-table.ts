import type { SwitchRow } from './define-assumption.ts'
import type { requestAssumptions } from './requests.ts'
import type { resourceAssumptions } from './resources.ts'

/** Descriptions of assumptions by id. A mocked page loads the switches without them. */
export type AssumptionWords = typeof requestAssumptions & typeof resourceAssumptions

/** The id of an assumption. */
export type AssumptionId = keyof AssumptionWords

/** The assumptions that have a switch. A row of half a switch, or one that is no assumption's, does not compile. */
export const switchTable = {
  bearer: {
    values: ['decoded or raw', 'decoded'],
    default: 'decoded or raw',
  },
  'content-type': {
    values: ['checked', 'ignored'],
    default: 'checked',
  },
  'unknown-attributes': {
    values: ['ignored', 'refused'],
    default: 'ignored',
  },
  'single-metadata': {
    values: ['absent', 'null'],
    default: 'absent',
  },
  /** `total`: all matching records; `items`: those on the page; `unrelated`: a number that has no relation to either. */
  'list-count': {
    values: ['total', 'items', 'unrelated'],
    default: 'total',
  },
  cors: {
    values: ['any origin', 'none'],
    default: 'any origin',
  },
  'force-effect': {
    values: ['taken out', 'joined'],
    default: 'taken out',
  },
  'pipeline-uuid-rule': {
    values: ['as named', 'letter first'],
    default: 'as named',
  },
  'pipeline-rename': {
    values: ['uuid stays', 'uuid follows'],
    default: 'uuid stays',
  },
  /** The status of a run directly after its trigger: the specification's `running`, or `initial` for two seconds. */
  'run-values': {
    values: ['running first', 'initial first'],
    default: 'running first',
  },
  /** Duration of a run: milliseconds, or a text such as `'20s'`. */
  'run-lifecycle': {
    takes: 'duration',
    values: ['5s'],
    default: '5s',
  },
  'trigger-body': {
    values: ['copied', 'pipeline_run.variables'],
    default: 'copied',
  },
  'trigger-inactive': {
    values: ['stays inactive', 'becomes active'],
    default: 'stays inactive',
  },
  'log-lines': {
    values: ['plain', 'json'],
    default: 'plain',
  },
} as const satisfies { readonly [Id in AssumptionId]?: SwitchRow }

/** Type of the table of switches, from which the types of values derive. */
export type SwitchTable = typeof switchTable
