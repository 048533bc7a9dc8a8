import { parseDuration } from '../wire/timestamps.ts'
import type { Assumption } from './define-assumption.ts'
import { assumptions } from './index.ts'

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
    const known: Readonly<Record<string, Assumption>> = assumptions
    const values = Object.hasOwn(known, id) ? known[id]?.values : undefined
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
