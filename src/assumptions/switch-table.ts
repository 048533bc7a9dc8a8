import type { requestAssumptions } from './requests.ts'
import type { resourceAssumptions } from './resources.ts'

export type AssumptionId = keyof typeof requestAssumptions | keyof typeof resourceAssumptions

export interface SwitchRow {
  /** The values `createUnderstudy({ assumptions })` takes for it; the first is the default. */
  readonly values: readonly [string, ...string[]]
  /** `duration`: any number of milliseconds or text such as `20s` is a value; absent: only the `values` are. */
  readonly takes?: 'duration'
}

/** The assumptions that have a switch. A mocked page loads them without the descriptions of the assumptions. */
export const switchTable = {
  bearer: { values: ['decoded or raw', 'decoded'] },
  'content-type': { values: ['checked', 'ignored'] },
  'unknown-attributes': { values: ['ignored', 'refused'] },
  'single-metadata': { values: ['absent', 'null'] },
  /** `total`: all matching records; `items`: those on the page; `unrelated`: a number that has no relation to either. */
  'list-count': { values: ['total', 'items', 'unrelated'] },
  cors: { values: ['any origin', 'none'] },
  'force-effect': { values: ['taken out', 'joined'] },
  'pipeline-uuid-rule': { values: ['as named', 'letter first'] },
  'pipeline-rename': { values: ['uuid stays', 'uuid follows'] },
  /** The status of a run directly after its trigger: the specification's `running`, or `initial` for two seconds. */
  'run-values': { values: ['running first', 'initial first'] },
  /** Duration of a run: milliseconds, or a text such as `'20s'`. */
  'run-lifecycle': {
    takes: 'duration',
    values: ['5s'],
  },
  'trigger-body': { values: ['copied', 'pipeline_run.variables'] },
  'trigger-inactive': { values: ['stays inactive', 'becomes active'] },
  'log-lines': { values: ['plain', 'json'] },
} as const satisfies { readonly [Id in AssumptionId]?: SwitchRow }
