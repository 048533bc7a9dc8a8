import type { Assumption, AssumptionId } from '../../assumptions/index.ts'
import type { AssumptionSwitches } from '../../assumptions/switches.ts'

/** An assumption, and the value of its switch, where it has one. */
export interface ActiveAssumption extends Assumption {
  readonly id: AssumptionId
  readonly value?: string | number
}

/** The assumptions of a world: what it does where the specification is silent. */
export interface Assumptions {
  /** Lists all assumptions with their values. */
  list(): Promise<ActiveAssumption[]>
  /**
   * Sets switches.
   *
   * @throws where an id has no switch, or a value is not one it takes.
   * @example
   * understudy.assumptions.switch({ 'list-count': 'items' })
   */
  switch(values: AssumptionSwitches): void
}
