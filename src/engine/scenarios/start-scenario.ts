import type { AssumptionSwitches } from '../../assumptions/switches.ts'
import type { Fixture } from '../../factories/fixture-type.ts'
import type { Runs } from '../../resources/pipeline-run/controls/runs.ts'
import { scriptRuns } from '../../resources/pipeline-run/controls/scripting.ts'
import type { RecordModel } from '../../resources/records.ts'
import { UnderstudyError } from '../../shared/understudy-error.ts'
import type { SteeredClock } from '../clock.ts'
import type { Faults } from '../faults/faults.ts'
import type { WorldInstance } from '../worlds/world-instance.ts'
import type { Scenario, ScenarioSummary, Scenarios } from './scenario.ts'

export { signOut } from './sign-out.ts'

/** What is behind the handle of that world. */
interface Behind {
  present(): WorldInstance
  import(fixture: Fixture): void
}

/** The world that a scenario is started in, and what is loaded with it. */
interface ScenarioStart {
  readonly world: {
    reset(): void
    readonly assumptions: { switch(values: AssumptionSwitches): void }
    readonly faults: Pick<Faults, 'add'>
    readonly runs: Pick<Runs, 'script'>
    readonly clock: SteeredClock
  }
  readonly instance: WorldInstance
  readonly importFixture: Behind['import']
  readonly model: () => RecordModel
  readonly suggest: (name: string, candidates: readonly string[]) => string
}

type ScenarioPart = Exclude<keyof Scenario, 'description'>

/** What a scenario may say, in the order in which it is done: how it is done, and what it must be. */
const parts: {
  readonly [Name in ScenarioPart]-?: {
    readonly is: string
    do(value: NonNullable<Scenario[Name]>, stage: ScenarioStart): void
  }
} = {
  fixture: {
    is: 'object',
    do(given, { world, instance, importFixture }) {
      const fixture = typeof given === 'function' ? given() : given
      world.reset()
      // Before the records are read, which are relative to it.
      instance.clock.runFrom(fixture?.clock)
      importFixture(fixture)
    },
  },
  assumptions: {
    is: 'object',
    do(values, { world }) {
      world.assumptions.switch(values)
    },
  },
  faults: {
    is: 'list',
    do(faults, { world }) {
      for (const [index, fault] of faults.entries()) at(`[${index}]`, () => world.faults.add(fault))
    },
  },
  scripts: {
    is: 'list',
    do(scripts, { model, world: { runs } }) {
      for (const [index, script] of scripts.entries())
        at(`[${index}]`, () => scriptRuns(model(), runs, script))
    },
  },
  clock: {
    is: 'object',
    do(steps, { world, instance: { clock } }) {
      const { freeze, advance, run } = steps
      checkNames(steps, ['freeze', 'advance', 'run'], '')
      if (freeze !== undefined) at('.freeze', () => clock.freeze(freeze))
      if (advance !== undefined) at('.advance', () => clock.advance(advance))
      if (run !== undefined) at('.run', () => world.clock.run(run))
    },
  },
}
const names = Object.keys(parts) as ScenarioPart[] // The table's own names.

/** Lists scenarios with what they are made of. */
export function listScenarios(scenarios: Scenarios = {}): ScenarioSummary[] {
  return Object.entries(scenarios).map(([name, scenario]) => {
    const { description } = readScenario(scenario)
    return { name, description, parts: names.filter((part) => scenario[part] !== undefined) }
  })
}

/**
 * Starts a scenario, by its name or as it is, in a world where nobody else is at work meanwhile.
 *
 * @throws UnderstudyError where there is none of the name, or it is broken: then everything stays as it was.
 */
export function startScenario(
  given: string | Scenario,
  world: ScenarioStart['world'],
  { present, import: importFixture }: Behind,
  suggest: ScenarioStart['suggest'],
): void {
  const stage: ScenarioStart = {
    world,
    instance: present(),
    importFixture,
    model: () => present().settledModel,
    suggest,
  }
  const scenario = readScenario(typeof given === 'string' ? find(given, stage) : given)
  const name = typeof given === 'string' ? ` ${given}` : ''
  try {
    stage.instance.replacements.make('scenario', () => doParts(scenario, stage))
  } catch (error) {
    throw error instanceof Misplaced ? error.toError(name) : error
  }
}

function doParts(scenario: Scenario, stage: ScenarioStart): void {
  for (const part of names) {
    const value = scenario[part]
    if (value === undefined) continue
    // Each is given the value of its own name.
    at(`.${part}`, () => parts[part].do(value as never, stage))
  }
}

function find(name: string, { instance, suggest }: ScenarioStart): Scenario {
  const { scenarios = {} } = instance.settings
  const found = Object.hasOwn(scenarios, name) ? scenarios[name] : undefined
  if (found !== undefined) return found
  const known = Object.keys(scenarios)
  const way =
    known.length === 0
      ? "none was given: createUnderstudy({ scenarios }) takes those of 'pipeline-understudy/scenarios'."
      : `there are ${known.join(', ')}.${suggest(name, known)}`
  throw new UnderstudyError('NOT_FOUND', `There is no scenario ${name}; ${way}`)
}

/** Holds a scenario against what one may say; what stands in its parts is judged by those who know it. */
function readScenario(given: unknown): Scenario {
  try {
    if (typeof given !== 'object' || given === null) refuse('', 'an object', given)
    const scenario = given as Scenario // What follows looks at all of it.
    checkNames(scenario, ['description', ...names], '')
    if (typeof scenario.description !== 'string' || scenario.description === '')
      refuse('.description', 'a sentence', scenario.description)
    for (const part of names) {
      const value: unknown = scenario[part]
      if (value === undefined || (part === 'fixture' && typeof value === 'function')) continue
      const isThat =
        parts[part].is === 'list' ? Array.isArray(value) : typeof value === 'object' && value !== null
      if (!isThat || (parts[part].is === 'object' && Array.isArray(value)))
        refuse(`.${part}`, parts[part].is === 'list' ? 'a list' : 'an object', value)
    }
    return scenario
  } catch (error) {
    throw error instanceof Misplaced ? error.toError('') : error
  }
}

function checkNames(value: object, known: readonly string[], path: string): void {
  for (const [name, found] of Object.entries(value)) {
    if (!known.includes(name)) refuse(`${path}.${name}`, `one of ${known.join(', ')}`, found)
  }
}

/** What is wrong with a scenario, and where in it. */
class Misplaced extends Error {
  readonly path: string
  readonly error: UnderstudyError

  constructor(path: string, error: UnderstudyError) {
    super(error.detail)
    this.path = path
    this.error = error
  }

  toError(name: string): UnderstudyError {
    const { flaws, detail } = this.error
    const within = flaws.map(({ path, ...flaw }) => ({ path: `$${this.path}${tailOf(path)}`, ...flaw }))
    const [first] = within
    const what = first === undefined ? detail : `expected ${first.expected}; found ${first.found}.`
    return new UnderstudyError(
      'SCENARIO_BROKEN',
      `The scenario${name} is broken at ${first?.path ?? `$${this.path}`}: ${what}`,
      {
        flaws: within,
        cause: this.error,
      },
    )
  }
}

function tailOf(path: string): string {
  return path.startsWith('$') ? path.slice(1) : path === '' ? '' : `.${path}`
}

/** Runs something of a scenario, and says where in it stands what is refused. */
function at<Result>(path: string, run: () => Result): Result {
  try {
    return run()
  } catch (error) {
    throw placed(path, error)
  }
}

function placed(path: string, error: unknown): unknown {
  if (error instanceof Misplaced) return new Misplaced(path + error.path, error.error)
  return error instanceof UnderstudyError ? new Misplaced(path, error) : error
}

function refuse(path: string, expected: string, value: unknown): never {
  const found = typeof value === 'function' ? 'a function' : (JSON.stringify(value) ?? 'nothing')
  throw new Misplaced(
    '',
    new UnderstudyError('SCENARIO_BROKEN', found, { flaws: [{ path: path.slice(1), expected, found }] }),
  )
}
