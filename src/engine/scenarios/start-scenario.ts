import { createRuns } from '../../resources/pipeline-run/controls/runs.ts'
import { scriptRuns } from '../../resources/pipeline-run/controls/scripting.ts'
import { noSuch, unknownKey } from '../../shared/suggest.ts'
import { UnderstudyError } from '../../shared/understudy-error.ts'
import { isNested, isObject, keysOf } from '../../shared/values.ts'
import type { WorldInstance } from '../worlds/world-instance.ts'
import type { Scenario, ScenarioSummary, Scenarios } from './scenario.ts'

type ScenarioPart = Exclude<keyof Scenario, 'description'>

/** The parts of a scenario in the order in which they apply. */
const shapes: Readonly<Record<ScenarioPart, 'a list' | 'an object'>> = {
  fixture: 'an object',
  assumptions: 'an object',
  faults: 'a list',
  scripts: 'a list',
  clock: 'an object',
}
const parts = keysOf(shapes)

/** Makes every valid token expire now, and returns their number. */
export function signOut({ currentModel: model, origin }: WorldInstance): number {
  if (origin.authenticator === undefined) return 0
  const table = model.table(origin.authenticator.plural)
  const now = model.now()
  const valid = table.records().filter(({ expires }) => String(expires) > now)
  for (const token of valid) table.change(token, { expires: now })
  return valid.length
}

/** Lists scenarios with their parts. */
export function listScenarios(scenarios: Scenarios = {}): ScenarioSummary[] {
  return Object.entries(scenarios).map(([name, scenario]) => {
    const { description } = readScenario(scenario)
    return { name, description, parts: parts.filter((part) => scenario[part] !== undefined) }
  })
}

/**
 * Starts a scenario in a world: one of its scenarios by name, or a scenario itself.
 *
 * @throws UnderstudyError where there is none of the name, or it is invalid: then nothing changes.
 */
export function startScenario(given: unknown, world: WorldInstance): void {
  const isName = typeof given === 'string'
  const name = isName ? ` ${given}` : ''
  const scenario = readScenario(isName ? findScenario(given, world.settings.scenarios) : given, name)
  world.replacements.make('scenario', () => applyParts(scenario, name, world))
}

function applyParts(scenario: Scenario, name: string, world: WorldInstance): void {
  const { fixture: given, assumptions, faults = [], scripts = [], clock } = scenario
  const at = (path: string, apply: () => void) => within(name, path, apply)
  const runs = createRuns(() => world.currentModel)
  if (given !== undefined) {
    at('$.fixture', () => {
      const fixture = typeof given === 'function' ? given() : given
      world.reset()
      // Timestamps in the fixture are relative to the clock.
      world.clock.runFrom(fixture?.clock)
      world.import(fixture)
    })
  }
  if (assumptions !== undefined) at('$.assumptions', () => world.switchAssumptions(assumptions))
  for (const [index, fault] of faults.entries()) at(`$.faults[${index}]`, () => world.faults.add(fault))
  for (const [index, script] of scripts.entries())
    at(`$.scripts[${index}]`, () => scriptRuns(world.currentModel, runs, script))
  if (clock === undefined) return
  const { freeze, advance, run } = clock
  at('$.clock', () => checkNames(clock, ['freeze', 'advance', 'run']))
  if (freeze !== undefined) at('$.clock.freeze', () => world.clock.freeze(freeze))
  if (advance !== undefined) at('$.clock.advance', () => world.clock.advance(advance))
  if (run !== undefined) at('$.clock.run', () => world.clock.run(run))
}

function findScenario(name: string, scenarios: Scenarios = {}): Scenario {
  const found = Object.hasOwn(scenarios, name) ? scenarios[name] : undefined
  if (found !== undefined) return found
  const known = Object.keys(scenarios)
  const hint =
    known.length === 0
      ? " Pass those of 'pipeline-understudy/scenarios' to the mock: createUnderstudy({ scenarios })."
      : ''
  throw new UnderstudyError('NOT_FOUND', noSuch('scenario', name, known) + hint)
}

/** Checks the form of a scenario. Each part is checked on applying it. */
function readScenario(given: unknown, name = ''): Scenario {
  return within(name, '$', () => {
    checkScenario(given)
    return given
  })
}

function checkScenario(given: unknown): asserts given is Scenario {
  if (!isNested(given)) reject('', 'an object', given)
  checkNames(given, ['description', ...parts])
  const { description } = given
  if (typeof description !== 'string' || description === '') reject('description', 'a sentence', description)
  for (const part of parts) {
    const value = given[part]
    if (value === undefined || (part === 'fixture' && typeof value === 'function')) continue
    const shape = shapes[part]
    const hasShape = shape === 'a list' ? Array.isArray(value) : isObject(value)
    if (!hasShape) reject(part, shape, value)
  }
}

function checkNames(value: object, known: readonly string[]): void {
  for (const name of Object.keys(value)) {
    if (known.includes(name)) continue
    const { expected, found } = unknownKey(name, known)
    refuse(name, expected, found)
  }
}

function reject(path: string, expected: string, value: unknown): never {
  refuse(path, expected, typeof value === 'function' ? 'a function' : (JSON.stringify(value) ?? 'nothing'))
}

function refuse(path: string, expected: string, found: string): never {
  throw new UnderstudyError('SCENARIO_BROKEN', found, { flaws: [{ path, expected, found }] })
}

/** Runs a function for a part of a scenario; an error names the scenario and the path of that part. */
function within<Result>(name: string, path: string, run: () => Result): Result {
  try {
    return run()
  } catch (error) {
    if (!(error instanceof UnderstudyError)) throw error
    const flaws = error.flaws.map((flaw) => ({ ...flaw, path: path + tailOf(flaw.path) }))
    const [first] = flaws
    const reason = first === undefined ? error.detail : `expected ${first.expected}; found ${first.found}.`
    throw new UnderstudyError(
      'SCENARIO_BROKEN',
      `The scenario${name} is broken at ${first?.path ?? path}: ${reason}`,
      { flaws, cause: error },
    )
  }
}

function tailOf(path: string): string {
  return path.startsWith('$') ? path.slice(1) : path === '' ? '' : `.${path}`
}
