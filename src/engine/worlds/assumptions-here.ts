import type { Assumption, AssumptionId } from '../../assumptions/index.ts'
import type { AssumptionSwitches } from '../../assumptions/switches.ts'

/** An assumption, with the value its switch has here, where it has one. */
export interface ActiveAssumption extends Assumption {
  readonly id: AssumptionId
  readonly value?: string | number
}

/** The choices of a world where the document is silent. */
export interface Assumptions {
  /** All of them, each with its value here: their words are loaded when they are asked for. */
  list(): Promise<ActiveAssumption[]>
  /**
   * Takes other choices, from now on.
   *
   * @throws where an id has no switch, or a value is not one it takes.
   * @example
   * understudy.assumptions.switch({ 'list-count': 'items' })
   */
  switch(values: AssumptionSwitches): void
}
